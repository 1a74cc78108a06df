/* What a program under test may say to Mazur. Usable from C and C++, and harmless when the program
 * runs without Mazur: then choose() returns 0 and assume() does nothing. */
#ifndef MAZUR_MAZUR_H
#define MAZUR_MAZUR_H

#ifdef __cplusplus
extern "C" {
#endif

unsigned mazur_runtime_choose(unsigned ways) __attribute__((weak));
void mazur_runtime_assume(int condition) __attribute__((weak));

/* Whether the program runs under Mazur. */
static inline int mazur_is_checking(void) { return mazur_runtime_choose != 0; }

/* A number in [0, ways): every one of them is explored. */
static inline unsigned mazur_choose(unsigned ways) {
  return mazur_runtime_choose != 0 ? mazur_runtime_choose(ways) : 0;
}

/* Only executions in which the condition holds are of interest: otherwise the calling thread stops
 * here, and the execution counts as assume_blocked. */
static inline void mazur_assume(int condition) {
  if (mazur_runtime_assume != 0) mazur_runtime_assume(condition);
}

#ifdef __cplusplus
}
#endif

#endif /* MAZUR_MAZUR_H */
