// A ticket lock, by threads that wait in a loop, or with -DASSUME in an assumption.
#include <mazur/mazur.h>

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

std::atomic<unsigned> next_ticket{0}, serving{0};
int inside = 0;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i)
    threads.emplace_back([] {
      const unsigned mine = next_ticket.fetch_add(1);
#ifdef ASSUME
      mazur_assume(serving.load() == mine);
#else
      while (serving.load() != mine) {
      }
#endif
      ++inside;
      assert(inside == 1);
      --inside;
      serving.store(mine + 1);
    });
  for (std::thread& thread : threads) thread.join();
}
