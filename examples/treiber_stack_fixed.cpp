// treiber_stack.cpp, repaired: top carries a version that changes with every push and pop, so that
// an old view of the stack can never be mistaken for the present one.
//
//   mazur check examples/treiber_stack_fixed.cpp
//
// Verified.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

constexpr std::uint32_t kNone = 0;

struct Node {
  std::atomic<std::uint32_t> next{kNone};
  std::atomic<bool> in_use{true};
};

Node nodes[3];  // nodes[kNone] is nobody
struct Top {
  std::uint32_t node;
  std::uint32_t version;
};
std::atomic<Top> top;

void push(std::uint32_t node) {
  nodes[node].in_use.store(false);
  Top seen = top.load();
  do {
    nodes[node].next.store(seen.node);
  } while (!top.compare_exchange_strong(seen, {node, seen.version + 1}));
}

std::uint32_t pop() {
  Top seen = top.load();
  while (seen.node != kNone &&
         !top.compare_exchange_strong(seen, {nodes[seen.node].next.load(), seen.version + 1})) {
  }
  if (seen.node != kNone) {
    bool was_in_use = nodes[seen.node].in_use.exchange(true);
    assert(!was_in_use);
  }
  return seen.node;
}

int main() {
  push(2);
  push(1);
  std::thread other([] {
    std::uint32_t first = pop();
    pop();
    if (first != kNone) push(first);
  });
  pop();
  pop();
  other.join();
}
