// A worker looks up the price of an article that may not be there yet.
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

std::map<std::string, int> prices;
std::mutex prices_mutex;

void print_price() {
  std::lock_guard lock(prices_mutex);
#ifdef FIXED
  if (prices.find("tea") == prices.end()) return;
#endif
  prices.at("tea");
}

int main() {
  std::thread worker(print_price);
  {
    std::lock_guard lock(prices_mutex);
    prices["tea"] = 3;
  }
  worker.join();
}
