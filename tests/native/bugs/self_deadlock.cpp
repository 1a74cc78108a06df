// withdraw() calls deposit() to undo what was too much. Both take the account's mutex, which is not
// recursive.
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard lock(mutex_);
    balance_ += amount;
  }
  bool withdraw(int amount) {
    std::lock_guard lock(mutex_);
    balance_ -= amount;
    if (balance_ >= 0) return true;
#ifdef FIXED
    balance_ += amount;
#else
    deposit(amount);
#endif
    return false;
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

int main() {
  Account account;
  std::thread employer([&] { account.deposit(100); });
  account.withdraw(80);
  employer.join();
}
