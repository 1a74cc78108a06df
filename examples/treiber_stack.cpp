// Treiber's lock-free stack, with nodes that go back to a free list and out again.
//
//   mazur check examples/treiber_stack.cpp
//
// Assertion failed: one node is handed out twice. A pop reads top = A and A.next = B and is
// interrupted; meanwhile A and B are popped and A is pushed back. Its compare-exchange still finds
// A on top, succeeds, and makes B the top, which is long in use: the ABA problem.
// treiber_stack_fixed.cpp counts the versions.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> in_use{true};
};

Node a, b;
std::atomic<Node*> top;

void push(Node* node) {
  node->in_use.store(false);
  Node* seen = top.load();
  do {
    node->next.store(seen);
  } while (!top.compare_exchange_strong(seen, node));
}

Node* pop() {
  Node* seen = top.load();
  while (seen && !top.compare_exchange_strong(seen, seen->next.load())) {
  }
  if (seen) {
    bool was_in_use = seen->in_use.exchange(true);
    assert(!was_in_use);
  }
  return seen;
}

int main() {
  push(&b);
  push(&a);
  std::thread other([] {
    Node* first = pop();
    pop();
    if (first) push(first);
  });
  pop();
  pop();
  other.join();
}
