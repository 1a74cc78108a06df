// Runs a small concurrent program that is given in words, so that many can be checked without compiling each:
//
//   any_program CAPACITY THREAD...        each thread a string of instructions, separated by spaces
//
// l0 load x0, s03 store 3 to x0, f0 fetch-add, c012 compare-exchange x0 from 1 to 2, m0/t0/u0 lock/try/unlock mutex
// 0, r0/w0/q0/Q0/R0 read lock/write lock/try read/try write/unlock rwlock 0, p0/P0/y0 post/wait/try semaphore 0,
// b barrier of CAPACITY, W0/T0/g0/G0 wait/timed wait/signal/broadcast on condition variable 0 (with mutex 0),
// F01 futex wait while x0 == 1, k02 wake 2 waiters of x0, o once, v01 loop while x0 == 1, V01 while x0 and x1 are, X01
// exchange x0 for 1 until it was another value.
//
// What a thread sees goes to its own log; at the end main prints all logs and variables in one line that starts with
// "state".
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kObjects = 2, kThreads = 4, kLog = 64 };

static atomic_int x[kObjects];
static pthread_mutex_t mutexes[kObjects] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlocks[kObjects] = {PTHREAD_RWLOCK_INITIALIZER,
                                             PTHREAD_RWLOCK_INITIALIZER};
static pthread_cond_t conditions[kObjects] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static sem_t semaphores[kObjects];
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int initialised;

typedef struct {
  const char* code;
  int log[kLog];
  int size;
} Thread;
static Thread threads[kThreads];

static void initialise(void) { atomic_fetch_add(&initialised, 1); }

static void run_instruction(Thread* self, const char* word, int* mutex_held, int* rwlock_held) {
  const int k = word[0] != 'b' && word[0] != 'o' ? word[1] - '0' : 0;
  int seen = 0;
  switch (word[0]) {
    case 'l': seen = atomic_load(&x[k]); break;
    case 's': atomic_store(&x[k], word[2] - '0'); break;
    case 'f': seen = atomic_fetch_add(&x[k], 1); break;
    case 'c': {
      int expected = word[2] - '0';
      seen = atomic_compare_exchange_strong(&x[k], &expected, word[3] - '0') ? 100 : expected;
      break;
    }
    case 'v':
      while ((seen = atomic_load(&x[k])) == word[2] - '0') {
      }
      break;
    case 'V':
      while (atomic_load(&x[k]) == word[2] - '0' && atomic_load(&x[1 - k]) == word[2] - '0') {
      }
      break;
    case 'X':
      while ((seen = atomic_exchange(&x[k], word[2] - '0')) == word[2] - '0') {
      }
      break;
    case 'm':
      if (!mutex_held[k]) pthread_mutex_lock(&mutexes[k]);
      mutex_held[k] = 1;
      break;
    case 't':
      if (!mutex_held[k]) mutex_held[k] = pthread_mutex_trylock(&mutexes[k]) == 0;
      seen = mutex_held[k];
      break;
    case 'u':
      if (mutex_held[k]) pthread_mutex_unlock(&mutexes[k]);
      mutex_held[k] = 0;
      break;
    case 'r':
    case 'w':
      if (!rwlock_held[k])
        (word[0] == 'r' ? pthread_rwlock_rdlock : pthread_rwlock_wrlock)(&rwlocks[k]);
      rwlock_held[k] = 1;
      break;
    case 'q':
    case 'Q':
      if (!rwlock_held[k])
        rwlock_held[k] =
            (word[0] == 'q' ? pthread_rwlock_tryrdlock : pthread_rwlock_trywrlock)(&rwlocks[k]) == 0;
      seen = rwlock_held[k];
      break;
    case 'R':
      if (rwlock_held[k]) pthread_rwlock_unlock(&rwlocks[k]);
      rwlock_held[k] = 0;
      break;
    case 'p': sem_post(&semaphores[k]); break;
    case 'P': sem_wait(&semaphores[k]); break;
    case 'y': seen = sem_trywait(&semaphores[k]) == 0; break;
    case 'b': pthread_barrier_wait(&barrier); break;
    case 'W':
    case 'T': {
      const int held = mutex_held[0];
      if (!held) pthread_mutex_lock(&mutexes[0]);
      if (word[0] == 'W') {
        pthread_cond_wait(&conditions[k], &mutexes[0]);
      } else {
        const struct timespec deadline = {2000000000, 0};
        seen = pthread_cond_timedwait(&conditions[k], &mutexes[0], &deadline) == 0;
      }
      if (!held) pthread_mutex_unlock(&mutexes[0]);
      break;
    }
    case 'g': pthread_cond_signal(&conditions[k]); break;
    case 'G': pthread_cond_broadcast(&conditions[k]); break;
    case 'F':
      seen = syscall(SYS_futex, &x[k], FUTEX_WAIT, word[2] - '0', NULL, NULL, 0) == 0;
      break;
    case 'k': seen = (int)syscall(SYS_futex, &x[k], FUTEX_WAKE, word[2] - '0', NULL, NULL, 0); break;
    case 'o': pthread_once(&once, initialise); break;
    default: abort();
  }
  self->log[self->size++] = seen;
}

static void* run_thread(void* argument) {
  Thread* self = argument;
  int mutex_held[kObjects] = {0}, rwlock_held[kObjects] = {0};
  for (const char* word = self->code; *word != 0;) {
    run_instruction(self, word, mutex_held, rwlock_held);
    while (*word != 0 && *word != ' ') ++word;
    while (*word == ' ') ++word;
  }
  return NULL;
}

int main(int count, char** arguments) {
  pthread_t handles[kThreads];
  const int number = count - 2 < kThreads ? count - 2 : kThreads;
  for (int k = 0; k < kObjects; ++k) sem_init(&semaphores[k], 0, (unsigned)k);
  pthread_barrier_init(&barrier, NULL, (unsigned)atoi(arguments[1]));
  for (int i = 0; i < number; ++i) threads[i].code = arguments[i + 2];
  for (int i = 0; i < number; ++i) pthread_create(&handles[i], NULL, run_thread, &threads[i]);
  for (int i = 0; i < number; ++i) pthread_join(handles[i], NULL);
  printf("state");
  for (int i = 0; i < number; ++i) {
    for (int j = 0; j < threads[i].size; ++j) printf(" %d", threads[i].log[j]);
    printf(" /");
  }
  printf(" %d %d\n", atomic_load(&x[0]), atomic_load(&x[1]));
  return 0;
}
