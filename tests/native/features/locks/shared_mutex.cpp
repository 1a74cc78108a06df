// std::shared_mutex: shared and exclusive sections, and the try forms.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int left, right;

int main() {
  std::thread writer([] {
    std::unique_lock lock(m);
    left++;
    right++;
  });
  std::thread reader([] {
    std::shared_lock lock(m);
    assert(left == right);
  });
  {
    std::shared_lock lock(m, std::try_to_lock);
    if (lock.owns_lock()) assert(left == right);
  }
  writer.join();
  reader.join();
  assert(left == 1 && right == 1);
  assert(m.try_lock());
  std::thread refused([] { assert(!m.try_lock_shared() && !m.try_lock()); });
  refused.join();
  m.unlock();
}
