// The initialisation of a function-local static is ordered before every use.
#include <thread>
#include <vector>

static std::vector<int>& numbers() {
  static std::vector<int> all{1, 2, 3};
  return all;
}

int main() {
  std::size_t seen = 0;
  std::thread t([&seen] { seen = numbers().size(); });
  const std::size_t mine = numbers().size();
  t.join();
  return seen == mine ? 0 : 1;
}
