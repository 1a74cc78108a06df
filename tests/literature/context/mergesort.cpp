// mergesort(N): N numbers are sorted by halves, each in a thread of its own that hands its sorted
// half to its parent in an atomic block. "Optimal dynamic partial order reduction with
// context-sensitive independence and observers", Table 1; the program is ours.
#include <mazur/mazur.h>

#include <algorithm>
#include <thread>

#ifndef N
#define N 4
#endif

struct Halves {
  int value[N];
  int sorted = 0;  // how many of them
};

static void sort(const int* in, int n, int* out) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  Halves halves;
  const auto sort_half = [&](int from, int to) {
    int half[N];
    sort(in + from, to - from, half);
    mazur_atomic_begin();
    std::copy(half, half + (to - from), halves.value + from);
    halves.sorted += to - from;
    mazur_atomic_end();
  };
  const int middle = n / 2;
  std::thread left(sort_half, 0, middle), right(sort_half, middle, n);
  left.join();
  right.join();
  std::merge(halves.value, halves.value + middle, halves.value + middle, halves.value + n, out);
}

int main() {
  int in[N], out[N];
  for (int i = 0; i < N; i++) in[i] = (5 * i + 3) % (N + 1);
  sort(in, N, out);
  return std::is_sorted(out, out + N) ? 0 : 1;
}
