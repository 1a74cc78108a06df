// MPAT(K): for each i a writer that takes ma[i] and a reader that takes ma[i] inside mi. Table 1 of
// "Quasi-Optimal Partial Order Reduction". K! * 2^K traces: the order of the readers, and for each
// i who comes first.
#include <mutex>
#include <thread>

#ifndef K
#define K 4
#endif

std::mutex ma[K];
std::mutex mi;

static void writer(int i) { std::lock_guard own(ma[i]); }

static void reader(int i) {
  std::lock_guard index(mi);
  std::lock_guard own(ma[i]);
}

int main() {
  std::thread thread[2 * K];
  for (int i = 0; i < K; i++) {
    thread[2 * i] = std::thread(writer, i);
    thread[2 * i + 1] = std::thread(reader, i);
  }
  for (std::thread& t : thread) t.join();
}
