// A std::shared_ptr object is copied while another thread resets it.
#include <memory>
#include <thread>

static std::shared_ptr<int> shared = std::make_shared<int>(1);

int main() {
  std::thread t([] { shared.reset(); });  // BUG-LINE
  std::shared_ptr<int> copy = shared;     // BUG-LINE
  t.join();
}
