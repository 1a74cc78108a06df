// bank.cpp, repaired: both transfers take the two locks in the same order, by address.
//
// (std::scoped_lock(from.lock, to.lock) would do as well. It tries, backs off and tries again,
// which may go on for ever if the scheduler is unkind, so that the checker never gets to an end.)
//
//   mazur check examples/bank_fixed.cpp
//
// Verified, in 2 executions: no schedule deadlocks, and the sums are right in all of them.
#include <cassert>
#include <functional>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;
};

Account alice, bob;

void transfer(Account& from, Account& to, int amount) {
  bool in_order = std::less<Account*>()(&from, &to);
  std::lock_guard holds_first(in_order ? from.lock : to.lock);
  std::lock_guard holds_second(in_order ? to.lock : from.lock);
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  std::thread gift([] { transfer(alice, bob, 10); });
  std::thread loan([] { transfer(bob, alice, 20); });
  gift.join();
  loan.join();
  assert(alice.balance == 110 && bob.balance == 90);
}
