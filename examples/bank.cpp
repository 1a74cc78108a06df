// Two transfers between two accounts, each account with a lock of its own.
//
//   mazur check examples/bank.cpp
//
// Deadlock: one transfer holds alice and waits for bob, the other holds bob and waits for alice.
// A test that simply runs this program passes, thousands of times in a row; Mazur needs two
// executions. bank_fixed.cpp is the cure.
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
  std::mutex lock;
  int balance = 100;
};

Account alice, bob;

void transfer(Account& from, Account& to, int amount) {
  std::lock_guard holds_from(from.lock);
  std::lock_guard holds_to(to.lock);
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
