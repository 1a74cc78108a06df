// A loop that changes something of its own is not one that waits: it gives up after three rounds.
// Seeded bug: the program relies on the answer coming in time.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> answer{false};

int main() {
  std::thread other([] { answer.store(true); });
  bool seen = false;
  for (int i = 0; i < 3 && !seen; ++i) seen = answer.load();
#ifdef BUG
  assert(seen);
#endif
  other.join();
  assert(answer.load());
}
