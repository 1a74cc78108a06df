// fib(N): every call with N >= 2 starts two threads for the calls it needs, and each adds its
// result to the caller's sum in an atomic block. "Optimal dynamic partial order reduction with
// context-sensitive independence and observers", Table 1; the program is ours, after its numbers of
// executions: two for every call that starts threads.
#include <mazur/mazur.h>

#include <thread>

#ifndef N
#define N 4
#endif

static long fib(int n) {
  if (n < 2) return n;
  long sum = 0;
  const auto add = [&sum](int m) {
    const long result = fib(m);
    mazur_atomic_begin();
    sum += result;
    mazur_atomic_end();
  };
  std::thread one(add, n - 1), two(add, n - 2);
  one.join();
  two.join();
  return sum;
}

int main() {
  constexpr long kFib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21};
  return fib(N) == kFib[N] ? 0 : 1;
}
