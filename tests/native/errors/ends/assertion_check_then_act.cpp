// Each step is locked, the pair is not: the account goes below zero.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int balance = 100;

static int read_balance() {
  std::lock_guard lock(m);
  return balance;
}

static void withdraw(int amount) {
  if (read_balance() < amount) return;
  std::lock_guard lock(m);
  balance -= amount;
}

int main() {
  std::thread a(withdraw, 80), b(withdraw, 80);
  a.join();
  b.join();
  assert(balance >= 0);  // BUG-LINE
}
