// Two buyers and one seat. Every access is locked, and still the seat is sold twice: the look and
// the purchase are two critical sections, not one.
//
//   mazur check examples/ticket_office.cpp
//
// Assertion failed: sold == 1. No data race, no undefined behaviour: nothing that a race detector
// could find.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex office;
int seats = 1;
int sold = 0;

bool seat_left() {
  std::lock_guard guard(office);
  return seats > 0;
}

void buy() {
  if (!seat_left()) return;
  std::lock_guard guard(office);
  seats--;
  sold++;
}

int main() {
  std::thread ann(buy), ben(buy);
  ann.join();
  ben.join();
  assert(sold == 1);
}
