// pipesort(N): N threads carry a number each through a pipeline of N stages. A stage keeps the
// smallest number it has seen and sends the other one on, in an atomic block. "Optimal dynamic
// partial order reduction with context-sensitive independence and observers", Table 1; the program
// is ours, and its numbers of executions are not the paper's.
#include <mazur/mazur.h>

#include <algorithm>
#include <thread>

#ifndef N
#define N 3
#endif

struct Stage {
  bool full = false;
  int kept = 0;
};

Stage pipeline[N];

static void carry(int number) {
  for (Stage& stage : pipeline) {
    bool sent_on = true;
    mazur_atomic_begin();
    if (!stage.full) {
      stage = {true, number};
      sent_on = false;
    } else if (number < stage.kept) {
      std::swap(number, stage.kept);
    }
    mazur_atomic_end();
    if (!sent_on) return;
  }
}

int main() {
  std::thread thread[N];
  for (int i = 0; i < N; i++) thread[i] = std::thread(carry, i);
  for (std::thread& t : thread) t.join();
  for (int i = 0; i < N; i++)
    if (pipeline[i].kept != i) return 1;
}
