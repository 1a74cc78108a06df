// The public interface of ThreadSanitizer: acquire and release, mutex annotations, happens-before.
// Without instrumentation the calls are empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(INSTRUMENTED)
void __tsan_acquire(void* addr);
void __tsan_release(void* addr);
void __tsan_mutex_create(void* addr, unsigned flags);
void __tsan_mutex_destroy(void* addr, unsigned flags);
void __tsan_mutex_pre_lock(void* addr, unsigned flags);
void __tsan_mutex_post_lock(void* addr, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void* addr, unsigned flags);
void __tsan_mutex_post_unlock(void* addr, unsigned flags);
void __tsan_mutex_pre_signal(void* addr, unsigned flags);
void __tsan_mutex_post_signal(void* addr, unsigned flags);
void __tsan_mutex_pre_divert(void* addr, unsigned flags);
void __tsan_mutex_post_divert(void* addr, unsigned flags);
void AnnotateHappensBefore(const char* file, int line, const volatile void* addr);
void AnnotateHappensAfter(const char* file, int line, const volatile void* addr);
const char* __tsan_default_options(void);
const char* __tsan_default_options(void) { return "halt_on_error=0"; }
#else
#define __tsan_acquire(addr) (void)(addr)
#define __tsan_release(addr) (void)(addr)
#define __tsan_mutex_create(addr, flags) (void)(addr)
#define __tsan_mutex_destroy(addr, flags) (void)(addr)
#define __tsan_mutex_pre_lock(addr, flags) (void)(addr)
#define __tsan_mutex_post_lock(addr, flags, recursion) (void)(addr)
#define __tsan_mutex_pre_unlock(addr, flags) (void)(addr)
#define __tsan_mutex_post_unlock(addr, flags) (void)(addr)
#define __tsan_mutex_pre_signal(addr, flags) (void)(addr)
#define __tsan_mutex_post_signal(addr, flags) (void)(addr)
#define __tsan_mutex_pre_divert(addr, flags) (void)(addr)
#define __tsan_mutex_post_divert(addr, flags) (void)(addr)
#define AnnotateHappensBefore(file, line, addr) (void)(addr)
#define AnnotateHappensAfter(file, line, addr) (void)(addr)
#endif

#define TRY_LOCK (1u << 4)
#define TRY_LOCK_FAILED (1u << 5)

// A lock of one's own, relaxed, so that only the annotations order what it protects.
static atomic_int own_lock;
static int protected_value;
static int released, annotated;
static atomic_int release_flag, annotate_flag;

static void add(void) {
  __tsan_mutex_pre_lock(&own_lock, TRY_LOCK);
  if (atomic_exchange_explicit(&own_lock, 1, memory_order_relaxed) == 0) {
    __tsan_mutex_post_lock(&own_lock, TRY_LOCK, 0);
    protected_value++;
    __tsan_mutex_pre_signal(&own_lock, 0);
    __tsan_mutex_pre_divert(&own_lock, 0);
    __tsan_mutex_post_divert(&own_lock, 0);
    __tsan_mutex_post_signal(&own_lock, 0);
    __tsan_mutex_pre_unlock(&own_lock, 0);
    atomic_store_explicit(&own_lock, 0, memory_order_relaxed);
    __tsan_mutex_post_unlock(&own_lock, 0);
  } else {
    __tsan_mutex_post_lock(&own_lock, TRY_LOCK | TRY_LOCK_FAILED, 0);
  }
}

static void* run(void* unused) {
  (void)unused;
  add();
  released = 1;
  __tsan_release(&release_flag);
  atomic_store_explicit(&release_flag, 1, memory_order_relaxed);
  annotated = 1;
  AnnotateHappensBefore(__FILE__, __LINE__, &annotate_flag);
  atomic_store_explicit(&annotate_flag, 1, memory_order_relaxed);
  return 0;
}

int main(void) {
  __tsan_mutex_create(&own_lock, 0);
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  add();
  if (atomic_load_explicit(&release_flag, memory_order_relaxed)) {
    __tsan_acquire(&release_flag);
    assert(released == 1);
  }
  if (atomic_load_explicit(&annotate_flag, memory_order_relaxed)) {
    AnnotateHappensAfter(__FILE__, __LINE__, &annotate_flag);
    assert(annotated == 1);
  }
  assert(pthread_join(t, 0) == 0);
  assert(protected_value == 1 || protected_value == 2);
  __tsan_mutex_destroy(&own_lock, 0);
  return 0;
}
