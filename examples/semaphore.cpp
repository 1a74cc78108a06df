// A std::binary_semaphore used as a mutex by two threads. The program is right. The library is not:
//
//   mazur check examples/semaphore.cpp -std=c++20
//
// Deadlock, with the libstdc++ of GCC 12: acquire() reads the count (1), loses the semaphore to the
// other thread, spins a while, and then goes to sleep "as long as the count is 1". If the other
// thread has released it meanwhile, the count is 1 again and the wake-up is over: nobody will ever
// wake the sleeper. It is known as GCC bug 104928, "std::counting_semaphore on Linux can sleep
// forever".
#include <cassert>
#include <semaphore>
#include <thread>

std::binary_semaphore semaphore(1);
int visits = 0;

void visit() {
  semaphore.acquire();
  visits++;
  semaphore.release();
}

int main() {
  std::thread t(visit);
  visit();
  t.join();
  assert(visits == 2);
}
