// <threads.h>: threads, mutexes of every type, condition variables, thread storage, call_once.
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

static mtx_t plain, recursive, timed;
static cnd_t changed;
static tss_t slot;
static once_flag once = ONCE_FLAG_INIT;
static thread_local int own = 3;
static int value, initialised, ready;
static atomic_int destroyed;

static void initialise(void) { initialised++; }
static void destroy(void* p) {
  (void)p;
  atomic_fetch_add(&destroyed, 1);
}

static int run(void* p) {
  call_once(&once, initialise);
  assert(initialised == 1);
  assert(tss_get(slot) == 0);
  assert(tss_set(slot, p) == thrd_success);
  assert(tss_get(slot) == p);
  own++;
  assert(mtx_lock(&recursive) == thrd_success);
  assert(mtx_lock(&recursive) == thrd_success);
  value++;
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_unlock(&recursive) == thrd_success);
  assert(mtx_lock(&plain) == thrd_success);
  while (!ready) assert(cnd_wait(&changed, &plain) == thrd_success);
  assert(mtx_unlock(&plain) == thrd_success);
  thrd_yield();
  assert(own == 4);
  return *(int*)p;
}

static int leave_early(void* unused) {
  (void)unused;
  thrd_exit(11);
}

int main(void) {
  int a = 5, b = 6, result = 0;
  assert(mtx_init(&plain, mtx_plain) == thrd_success);
  assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  assert(mtx_init(&timed, mtx_timed) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
  assert(tss_create(&slot, destroy) == thrd_success);
  thrd_t t, u;
  assert(thrd_create(&t, run, &a) == thrd_success);
  assert(thrd_create(&u, run, &b) == thrd_success);
  assert(!thrd_equal(t, u) && !thrd_equal(t, thrd_current()));
  assert(mtx_lock(&plain) == thrd_success);
  ready = 1;
  assert(cnd_broadcast(&changed) == thrd_success);
  assert(mtx_unlock(&plain) == thrd_success);
  assert(thrd_join(t, &result) == thrd_success && result == 5);
  assert(thrd_join(u, &result) == thrd_success && result == 6);
  assert(value == 2 && own == 3 && atomic_load(&destroyed) == 2);
  assert(thrd_create(&t, leave_early, 0) == thrd_success);
  assert(thrd_join(t, &result) == thrd_success && result == 11);

  struct timespec past = {1, 0};
  assert(mtx_timedlock(&timed, &past) == thrd_success);
  assert(cnd_timedwait(&changed, &timed, &past) == thrd_timedout);
  assert(cnd_signal(&changed) == thrd_success);
  assert(mtx_unlock(&timed) == thrd_success);
  assert(mtx_trylock(&plain) == thrd_success);
  assert(mtx_trylock(&plain) == thrd_busy);
  assert(mtx_unlock(&plain) == thrd_success);
  struct timespec pause = {0, 1000};
  assert(thrd_sleep(&pause, 0) == 0);
  struct timespec now;
  assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
  mtx_destroy(&plain);
  mtx_destroy(&recursive);
  mtx_destroy(&timed);
  cnd_destroy(&changed);
  tss_delete(slot);
  return 0;
}
