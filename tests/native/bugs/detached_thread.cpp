// A thread that writes to main's log was detached, because nobody needs its result; the log goes
// away with main.
#include <memory>
#include <mutex>
#include <thread>

struct Log {
  std::mutex mutex;
  int lines = 0;
};

void write_line(Log* log) {
  std::lock_guard lock(log->mutex);
  ++log->lines;
}

int main() {
  auto log = std::make_unique<Log>();
  std::thread writer(write_line, log.get());
#ifdef FIXED
  writer.join();
#else
  writer.detach();
#endif
}
