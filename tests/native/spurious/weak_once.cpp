// Operations that may fail for no reason, tried once: exactly one thread should become the leader,
// and a mutex that nobody has should be there for the taking.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#ifdef TRY_LOCK
std::mutex m;

int main() {
  std::thread other([] {});
  assert(m.try_lock());
  m.unlock();
  other.join();
}
#else
std::atomic<int> leader{0};
int leaders[3];

void apply(int id) {
  int nobody = 0;
#if defined(LOOP)
  while (!leader.compare_exchange_weak(nobody, id))
    if (nobody != 0) return;
  leaders[id] = 1;
#elif defined(STRONG)
  if (leader.compare_exchange_strong(nobody, id)) leaders[id] = 1;
#else
  if (leader.compare_exchange_weak(nobody, id)) leaders[id] = 1;
#endif
}

int main() {
  std::thread one(apply, 1), two(apply, 2);
  one.join();
  two.join();
  assert(leaders[1] + leaders[2] == 1);
}
#endif
