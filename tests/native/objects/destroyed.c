// Objects that one thread destroys, or initialises again, while another one uses them. The argument
// says which.
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static pthread_barrier_t barrier;
static sem_t semaphore;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static const char* object;

static int is(const char* name) { return strcmp(object, name) == 0; }

static void* use(void* unused) {
  if (is("mutex") || is("mutex-init") || is("mutex-twice")) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  } else if (is("mutex-try")) {
    if (pthread_mutex_trylock(&mutex) == 0) pthread_mutex_unlock(&mutex);
  } else if (is("condition")) {
    pthread_cond_signal(&condition);
  } else if (is("condition-waiter") || is("condition-init") || is("mutex-waiter")) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  } else if (is("rwlock") || is("rwlock-init")) {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
  } else if (is("spinlock") || is("spinlock-init")) {
    pthread_spin_lock(&spinlock);
    pthread_spin_unlock(&spinlock);
  } else if (is("barrier") || is("barrier-init")) {
    pthread_barrier_wait(&barrier);
  } else if (is("semaphore")) {
    sem_post(&semaphore);
  } else if (is("semaphore-try")) {
    sem_trywait(&semaphore);
  } else if (is("semaphore-waiter") || is("semaphore-late") || is("semaphore-init")) {
    sem_wait(&semaphore);
  } else if (is("c11-mutex")) {
    mtx_lock(&c11_mutex);
    mtx_unlock(&c11_mutex);
  } else if (is("c11-condition")) {
    cnd_broadcast(&c11_condition);
  }
  return unused;
}

static void destroy(void) {
  if (is("mutex") || is("mutex-try") || is("mutex-waiter")) pthread_mutex_destroy(&mutex);
  if (is("mutex-init")) pthread_mutex_init(&mutex, NULL);
  if (is("mutex-twice")) pthread_mutex_destroy(&mutex), pthread_mutex_destroy(&mutex);
  if (is("condition") || is("condition-waiter")) pthread_cond_destroy(&condition);
  if (is("condition-init")) pthread_cond_init(&condition, NULL);
  if (is("rwlock")) pthread_rwlock_destroy(&rwlock);
  if (is("rwlock-init")) pthread_rwlock_init(&rwlock, NULL);
  if (is("spinlock")) pthread_spin_destroy(&spinlock);
  if (is("spinlock-init")) pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  if (is("barrier")) pthread_barrier_destroy(&barrier);
  if (is("barrier-init")) pthread_barrier_init(&barrier, NULL, 2);
  if (is("semaphore") || is("semaphore-try") || is("semaphore-waiter")) sem_destroy(&semaphore);
  if (is("semaphore-late")) sem_init(&semaphore, 0, 1);
  if (is("semaphore-init")) sem_init(&semaphore, 0, 0), sem_post(&semaphore);
  if (is("c11-mutex")) mtx_destroy(&c11_mutex);
  if (is("c11-condition")) cnd_destroy(&c11_condition);
}

int main(int count, char** arguments) {
  (void)count;
  object = arguments[1];
  pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, NULL, 2);
  if (!is("semaphore-late")) sem_init(&semaphore, 0, 0);
  mtx_init(&c11_mutex, mtx_plain);
  cnd_init(&c11_condition);
  pthread_t user;
  pthread_create(&user, NULL, use, NULL);
  if (is("semaphore-waiter")) sem_post(&semaphore);
  if (is("barrier-init") || is("barrier")) pthread_detach(user);
  destroy();
  if (strncmp(object, "barrier", 7) != 0 && !is("condition-waiter") && !is("condition-init") &&
      !is("mutex-waiter"))
    pthread_join(user, NULL);
  return 0;
}
