// The running example of "Optimal dynamic partial order reduction with context-sensitive
// independence and observers". The second assertion can fail.
#include <mazur/mazur.h>

#include <atomic>
#include <thread>

std::atomic<int> x, y;

int main() {
  std::thread p([] {
    y.store(1);
    x.store(1);
  });
  std::thread q([] { x.store(2); });
  std::thread r([] {
    mazur_observe(x, <, 3);
    mazur_observe(x, <, 2);
  });
  p.join();
  q.join();
  r.join();
}
