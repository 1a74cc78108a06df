// Races that the program declares harmless by ThreadSanitizer's annotations are no errors.
// Without instrumentation the calls are empty.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(INSTRUMENTED)
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
void AnnotateBenignRaceSized(const char* file, int line, const volatile void* mem, size_t size,
                             const char* why);
#else
#define AnnotateIgnoreReadsBegin(file, line) (void)(line)
#define AnnotateIgnoreReadsEnd(file, line) (void)(line)
#define AnnotateIgnoreWritesBegin(file, line) (void)(line)
#define AnnotateIgnoreWritesEnd(file, line) (void)(line)
#define AnnotateBenignRaceSized(file, line, mem, size, why) (void)(mem)
#endif

static volatile int statistics, hint;

static void* run(void* unused) {
  (void)unused;
  statistics = 1;
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  hint = 1;
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  return 0;
}

int main(void) {
  AnnotateBenignRaceSized(__FILE__, __LINE__, &statistics, sizeof statistics, "only a statistic");
  pthread_t t;
  assert(pthread_create(&t, 0, run, 0) == 0);
  statistics = 2;
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  int seen = hint;
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  assert(seen == 0 || seen == 1);
  assert(pthread_join(t, 0) == 0);
  assert(hint == 1);
  return 0;
}
