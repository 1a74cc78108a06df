// The counts of a std::shared_ptr are atomic, the pointer itself is not: a reader copies it while
// the owner resets it.
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Session {
  std::string user = "anna";
};

std::shared_ptr<Session> session = std::make_shared<Session>();
std::mutex session_mutex;

std::size_t length_of_name() {
#ifdef FIXED
  std::unique_lock lock(session_mutex);
#endif
  std::shared_ptr<Session> mine = session;
#ifdef FIXED
  lock.unlock();
#endif
  return mine ? mine->user.size() : 0;
}

void log_out() {
#ifdef FIXED
  std::lock_guard lock(session_mutex);
#endif
  session.reset();
}

int main() {
  std::thread reader(length_of_name);
  log_out();
  reader.join();
}
