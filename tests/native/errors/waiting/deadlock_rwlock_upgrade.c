// Two readers both want to become the writer.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void* reader(void* unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  pthread_mutex_lock(&turn);  // BUG-LINE
  pthread_mutex_unlock(&turn);
  pthread_rwlock_unlock(&lock);
  return 0;
}

static void* writer(void* unused) {
  (void)unused;
  pthread_mutex_lock(&turn);
  pthread_rwlock_wrlock(&lock);  // BUG-LINE
  pthread_rwlock_unlock(&lock);
  pthread_mutex_unlock(&turn);
  return 0;
}

int main(void) {
  pthread_t r, w;
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, writer, 0);
  pthread_join(r, 0);
  pthread_join(w, 0);
  return 0;
}
