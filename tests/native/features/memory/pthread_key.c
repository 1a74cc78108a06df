// Thread-specific data: every thread has its own value; destructors run at thread exit, again if
// they set the value again, and not for deleted keys.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key, again_key, deleted_key;
static atomic_int freed, again, wrong;

static void free_value(void* p) {
  free(p);
  atomic_fetch_add(&freed, 1);
}

static void set_once_more(void* p) {
  long left = (long)p;
  atomic_fetch_add(&again, 1);
  if (left > 1) pthread_setspecific(again_key, (void*)(left - 1));
}

static void never(void* p) {
  (void)p;
  atomic_store(&wrong, 1);
}

static void* run(void* id) {
  assert(pthread_getspecific(key) == 0);
  int* value = malloc(sizeof *value);
  *value = (int)(long)id;
  assert(pthread_setspecific(key, value) == 0);
  assert(pthread_setspecific(again_key, (void*)2L) == 0);
  assert(*(int*)pthread_getspecific(key) == (int)(long)id);
  return 0;
}

int main(void) {
  assert(pthread_key_create(&key, free_value) == 0);
  assert(pthread_key_create(&again_key, set_once_more) == 0);
  assert(pthread_key_create(&deleted_key, never) == 0);
  assert(pthread_setspecific(deleted_key, &wrong) == 0);
  assert(pthread_key_delete(deleted_key) == 0);
  pthread_t t[2];
  for (long i = 0; i < 2; i++) assert(pthread_create(&t[i], 0, run, (void*)i) == 0);
  for (int i = 0; i < 2; i++) assert(pthread_join(t[i], 0) == 0);
  assert(pthread_getspecific(key) == 0);
  assert(atomic_load(&freed) == 2);
  assert(atomic_load(&again) == 4);
  assert(atomic_load(&wrong) == 0);
  assert(pthread_key_delete(key) == 0);
  assert(pthread_key_delete(again_key) == 0);
  return 0;
}
