// Two unordered writes of a plain variable.
#include <thread>

static int value;

int main() {
  std::thread t([] { value = 1; });  // BUG-LINE
  value = 2;                         // BUG-LINE
  t.join();
}
