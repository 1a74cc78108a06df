// Two threads push into one vector.
#include <thread>
#include <vector>

std::vector<int> numbers;

int main() {
  std::thread t([] { numbers.push_back(1); });
  numbers.push_back(2);
  t.join();
}
