// std::jthread joins by itself and asks its thread to stop; stop callbacks run exactly once.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

static std::atomic<int> called;

static void wait_for_callback(std::stop_token stop) {
  std::stop_callback callback(stop, [] {
    called.fetch_add(1);
    called.notify_one();
  });
  called.wait(0);
}

int main() {
  int runs = 0;
  {
    std::jthread t([&runs](std::stop_token) { runs++; });
  }
  assert(runs == 1);
  {
    std::jthread t(wait_for_callback);
    assert(t.get_stop_token().stop_possible());
    assert(t.request_stop());
    assert(!t.request_stop());
  }
  assert(called.load() == 1);

  std::stop_source source;
  std::stop_token token = source.get_token();
  assert(!token.stop_requested());
  std::jthread other([&source] { source.request_stop(); });
  other.join();
  assert(token.stop_requested());
}
