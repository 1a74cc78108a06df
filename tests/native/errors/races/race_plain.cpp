// Two unordered writes of a plain variable.
#include <thread>

int value;  // not static: gcc leaves out the writes of what it can see that nobody reads

int main() {
  std::thread t([] { value = 1; });  // BUG-LINE
  value = 2;                         // BUG-LINE
  t.join();
}
