// quicksort(N): N + 4 numbers are sorted by parts, those below and those above the first one, each
// part in a thread of its own that hands its sorted part to its parent in an atomic block. "Optimal
// dynamic partial order reduction with context-sensitive independence and observers", Table 1; the
// program is ours. The numbers are sorted already: then N + 3 calls have parts, which is what the
// paper's numbers of executions and steps say.
#include <mazur/mazur.h>

#include <algorithm>
#include <thread>

#ifndef N
#define N 2
#endif

constexpr int kNumbers = N + 4;

struct Parts {
  int value[kNumbers];
  int sorted = 0;  // how many of them
};

static void sort(const int* in, int n, int* out) {
  if (n <= 1) {
    std::copy(in, in + n, out);
    return;
  }
  int part[kNumbers];
  const int pivot = in[0];
  int* above = std::copy_if(in + 1, in + n, part, [&](int v) { return v < pivot; });
  std::copy_if(in + 1, in + n, above, [&](int v) { return v >= pivot; });
  Parts parts;
  const auto sort_part = [&](int from, int to, int place) {
    int sorted[kNumbers];
    sort(part + from, to - from, sorted);
    mazur_atomic_begin();
    std::copy(sorted, sorted + (to - from), parts.value + place);
    parts.sorted += to - from;
    mazur_atomic_end();
  };
  const int below = static_cast<int>(above - part);
  std::thread low(sort_part, 0, below, 0), high(sort_part, below, n - 1, below + 1);
  low.join();
  high.join();
  parts.value[below] = pivot;
  std::copy(parts.value, parts.value + n, out);
}

int main() {
  int in[kNumbers], out[kNumbers];
  for (int i = 0; i < kNumbers; i++) in[i] = i;
  sort(in, kNumbers, out);
  return std::is_sorted(out, out + kNumbers) ? 0 : 1;
}
