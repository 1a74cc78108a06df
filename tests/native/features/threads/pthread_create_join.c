// pthread_create and pthread_join: arguments go in, results come out, attributes are honoured.
#include <assert.h>
#include <pthread.h>

static int shared;

static void* twice(void* p) {
  int* value = p;
  *value *= 2;
  return p;
}

static void* add_to_shared(void* p) {
  shared += *(int*)p;
  return (void*)7;
}

int main(void) {
  pthread_t a, b;
  int x = 20, y = 30;
  pthread_attr_t attr;
  assert(pthread_attr_init(&attr) == 0);
  assert(pthread_attr_setstacksize(&attr, 1 << 18) == 0);
  assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_JOINABLE) == 0);
  assert(pthread_create(&a, 0, twice, &x) == 0);
  assert(pthread_create(&b, &attr, twice, &y) == 0);
  assert(pthread_attr_destroy(&attr) == 0);
  assert(!pthread_equal(a, b));
  assert(!pthread_equal(a, pthread_self()));
  void* result;
  assert(pthread_join(a, &result) == 0);
  assert(result == &x && x == 40);
  assert(pthread_join(b, 0) == 0);
  assert(y == 60);
  // One after the other: the join orders the accesses to `shared`.
  for (int i = 0; i < 2; i++) {
    assert(pthread_create(&a, 0, add_to_shared, &x) == 0);
    assert(pthread_join(a, &result) == 0);
    assert(result == (void*)7);
  }
  assert(shared == 80);
  return 0;
}
