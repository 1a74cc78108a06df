// A worker sleeps until it is told to stop. The flag is atomic, so it was thought to need no lock:
// it can be set, and the notification sent, between the worker's look at it and its sleep.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  void stop() {
    {
#ifdef FIXED
      std::lock_guard lock(mutex_);
#endif
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) wake_.wait(lock);
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

int main() {
  Worker worker;
  worker.stop();
}
