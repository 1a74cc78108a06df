// Global strings and containers start every execution as their constructors left them.
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::string text = "a string too long for the small buffer of std::string";
static std::vector<int> numbers = {1, 2, 3};
static std::unordered_map<std::string, int> table = {{"one", 1}};
static std::map<int, std::string> tree;
static std::mutex m;

static void add(int id) {
  std::lock_guard lock(m);
  text += std::to_string(id);
  numbers.push_back(id);
  table["thread " + std::to_string(id)] = id;
  tree[id] = text;
}

int main() {
  assert(text.size() == 53 && numbers.size() == 3 && table.size() == 1 && tree.empty());
  std::thread a(add, 1), b(add, 2);
  a.join();
  b.join();
  assert(text.size() == 55 && numbers.size() == 5 && table.size() == 3 && tree.size() == 2);
  assert(table.at("thread 1") == 1 && table.at("thread 2") == 2);
  bool caught = false;
  try {
    table.at("nobody");
  } catch (const std::out_of_range&) {
    caught = true;
  }
  assert(caught);
}
