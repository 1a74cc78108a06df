// A new configuration is built and its pointer stored for the readers, relaxed: they may have the
// pointer before what it points to.
#include <atomic>
#include <cassert>
#include <thread>

struct Config {
  int threads = 0;
  int limit = 0;
};

std::atomic<Config*> current{nullptr};

#ifdef FIXED
constexpr auto kPublish = std::memory_order_release;
#else
constexpr auto kPublish = std::memory_order_relaxed;
#endif

void load_config() {
  auto* fresh = new Config;
  fresh->threads = 4;
  fresh->limit = 100;
  current.store(fresh, kPublish);
}

int main() {
  std::thread loader(load_config);
  if (const Config* config = current.load(std::memory_order_acquire)) {
    const int limit = config->limit;
    assert(limit == 100);
  }
  loader.join();
  delete current.load();
}
