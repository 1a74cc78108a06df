// A Treiber stack whose nodes are reused: the compare-exchange succeeds although the stack has
// changed in between (ABA), and a node that is in use comes back.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> taken{false};
};

static Node nodes[3];
static std::atomic<Node*> top;

static void push(Node* node) {
  node->taken.store(false);
  Node* old = top.load();
  do {
    node->next.store(old);
  } while (!top.compare_exchange_strong(old, node));
}

static Node* pop() {
  Node* old = top.load();
  while (old && !top.compare_exchange_strong(old, old->next.load())) {
  }
  if (old) {
    bool was_taken = old->taken.exchange(true);
    assert(!was_taken);  // BUG-LINE
  }
  return old;
}

int main() {
  push(&nodes[1]);
  push(&nodes[0]);
  std::thread t([] {
    Node* a = pop();
    Node* b = pop();
    (void)b;
    if (a) push(a);
  });
  pop();
  pop();
  t.join();
}
