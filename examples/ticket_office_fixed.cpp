// ticket_office.cpp, repaired: look and buy under one lock.
//
//   mazur check examples/ticket_office_fixed.cpp
//
// Verified, in 2 executions: one per order of the two buyers.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex office;
int seats = 1;
int sold = 0;

void buy() {
  std::lock_guard guard(office);
  if (seats == 0) return;
  seats--;
  sold++;
}

int main() {
  std::thread ann(buy), ben(buy);
  ann.join();
  ben.join();
  assert(sold == 1);
}
