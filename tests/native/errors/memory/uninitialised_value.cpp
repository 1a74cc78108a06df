// The same with a plain field, read through the pointer that nobody has set.
#include <cstdlib>
#include <mutex>
#include <thread>

struct Config {
  const char* name;
};
static std::mutex mutex;
static Config* config = nullptr;

int main() {
  std::thread loader([] {
    mutex.lock();
    config = static_cast<Config*>(std::malloc(sizeof(Config)));
    mutex.unlock();
    mutex.lock();
    config->name = "default";
    mutex.unlock();
  });
  mutex.lock();
  volatile char first = config != nullptr ? config->name[0] : 0;  // BUG-LINE
  (void)first;
  mutex.unlock();
  loader.join();
  std::free(config);
}
