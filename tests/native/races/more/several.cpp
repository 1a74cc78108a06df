// Three variables, each written by both threads: three pairs of places.
#include <thread>

int a, b, c;

int main() {
  std::thread t([] {
    a = 1;
    b = 1;
    c = 1;
  });
  a = 2;
  b = 2;
  c = 2;
  t.join();
}
