/* What a program under test may say to Mazur. Usable from C and C++, and harmless when the program
 * runs without Mazur: then nothing here has an effect, and choices are the first possible one. */
#ifndef MAZUR_MAZUR_H
#define MAZUR_MAZUR_H

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's side. These are weak symbols: without Mazur they are null. */
unsigned mazur_runtime_choose(unsigned ways) __attribute__((weak));
void mazur_runtime_assume(int condition) __attribute__((weak));
long long mazur_runtime_nondet(long long lowest, long long highest) __attribute__((weak));
void mazur_runtime_assert_failed(const char* condition, const char* file, unsigned line,
                                 const char* function) __attribute__((weak));
int mazur_runtime_observe(const volatile void* object, unsigned size, int is_signed,
                          unsigned outcomes, long long value) __attribute__((weak));
void mazur_runtime_yield(void) __attribute__((weak));
void mazur_runtime_atomic_begin(void) __attribute__((weak));
void mazur_runtime_atomic_end(void) __attribute__((weak));
void mazur_runtime_name_thread(const char* name) __attribute__((weak));
void mazur_runtime_name_object(const volatile void* object, const char* name) __attribute__((weak));

/* Whether the program runs under Mazur. */
static inline int mazur_is_checking(void) { return mazur_runtime_choose != 0; }

/* A number in [0, ways): every one of them is explored. */
static inline unsigned mazur_choose(unsigned ways) {
  return mazur_runtime_choose != 0 ? mazur_runtime_choose(ways) : 0;
}

/* A number in [lowest, highest], at most 65535 of them: every one is explored. */
static inline long long mazur_nondet(long long lowest, long long highest) {
  return mazur_runtime_nondet != 0 ? mazur_runtime_nondet(lowest, highest) : lowest;
}

/* Only executions in which the condition holds are of interest: otherwise the calling thread stops
 * here, and the execution counts as assume_blocked. */
static inline void mazur_assume(int condition) {
  if (mazur_runtime_assume != 0) mazur_runtime_assume(condition);
}

/* A good moment for another thread to run. A switch here is no preemption. */
static inline void mazur_yield(void) {
  if (mazur_runtime_yield != 0) mazur_runtime_yield();
}

/* An atomic block: no other thread runs between the two. Blocks nest. Without Mazur they protect
 * nothing. */
static inline void mazur_atomic_begin(void) {
  if (mazur_runtime_atomic_begin != 0) mazur_runtime_atomic_begin();
}
static inline void mazur_atomic_end(void) {
  if (mazur_runtime_atomic_end != 0) mazur_runtime_atomic_end();
}

/* Names for reports: of the calling thread, and of what lies at an address. */
static inline void mazur_name_thread(const char* name) {
  if (mazur_runtime_name_thread != 0) mazur_runtime_name_thread(name);
}
static inline void mazur_name_object(const volatile void* object, const char* name) {
  if (mazur_runtime_name_object != 0) mazur_runtime_name_object(object, name);
}

#ifdef __cplusplus
} /* extern "C" */

/* Whether the variable's type has negative numbers; of a std::atomic, of what it holds. */
template <typename T>
inline bool mazur_is_signed(const volatile T*) {
  return static_cast<T>(-1) < static_cast<T>(0);
}
template <template <typename> class Atomic, typename T>
inline bool mazur_is_signed(const volatile Atomic<T>*) {
  return static_cast<T>(-1) < static_cast<T>(0);
}
#define MAZUR_IS_SIGNED(variable) mazur_is_signed(&(variable))
#else
#define MAZUR_IS_SIGNED(variable) ((__typeof__(variable))-1 < (__typeof__(variable))0)
#endif

/* Fails as assert does, also with NDEBUG. The condition reads by ordinary accesses. Without
 * Mazur the condition is not evaluated. */
#define mazur_assert(condition)                                              \
  do {                                                                       \
    if (mazur_runtime_assert_failed != 0 && !(condition))                    \
      mazur_runtime_assert_failed(#condition, __FILE__, __LINE__, __func__); \
  } while (0)

/* An observed assertion: one visible event that reads the integer `variable` (plain or atomic, at
 * most 8 bytes) and fails unless the comparison holds, as in mazur_observe(x, <, 3). The read is
 * never a data race, no other thread runs between it and the verdict on it, and the thread learns
 * nothing but the verdict. `value` is compared as a long long. */
#define mazur_observe(variable, comparison, value)                                                \
  do {                                                                                            \
    if (mazur_runtime_observe != 0 &&                                                             \
        !mazur_runtime_observe(                                                                   \
            &(variable), sizeof(variable), MAZUR_IS_SIGNED(variable),                             \
            (0 comparison 1 ? 1u : 0u) | (1 comparison 1 ? 2u : 0u) | (1 comparison 0 ? 4u : 0u), \
            (long long)(value)))                                                                  \
      mazur_runtime_assert_failed(#variable " " #comparison " " #value, __FILE__, __LINE__,       \
                                  __func__);                                                      \
  } while (0)

#endif /* MAZUR_MAZUR_H */
