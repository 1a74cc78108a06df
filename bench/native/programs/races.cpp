// Executions of EVENTS events of which the same four race: 16 classes whatever the length.
#include <atomic>
#include <thread>

std::atomic<int> shared[4], own[2];

int main() {
  std::thread t([] {
    for (int i = 0; i < EVENTS / 2 - 4; ++i) own[0].store(i);
    for (auto& s : shared) s.store(1);
  });
  for (int i = 0; i < EVENTS / 2 - 4; ++i) own[1].store(i);
  int seen = 0;
  for (auto& s : shared) seen += s.load();
  t.join();
  return seen > 4;
}
