// The queue lock of Mellor-Crummey and Scott: every thread spins on its own node. Seeded bug: a
// thread that releases does not wait for a successor that has joined the queue but not linked
// itself yet.
#include "critical.h"

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{false};
};
static std::atomic<Node*> tail{nullptr};

static void lock(Node& node) {
  node.next.store(nullptr, std::memory_order_relaxed);
  node.waits.store(true, std::memory_order_relaxed);
  Node* before = tail.exchange(&node, std::memory_order_acq_rel);
  if (before == nullptr) return;
  before->next.store(&node, std::memory_order_release);
  while (node.waits.load(std::memory_order_acquire)) {
  }
}

static void unlock(Node& node) {
  Node* after = node.next.load(std::memory_order_acquire);
  if (after == nullptr) {
    Node* expected = &node;
    if (tail.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) return;
#ifdef BUG
    return;
#else
    while ((after = node.next.load(std::memory_order_acquire)) == nullptr) {
    }
#endif
  }
  after->waits.store(false, std::memory_order_release);
}

static Node nodes[THREADS];

static void body(int i) {
  lock(nodes[i]);
  critical_section();
  unlock(nodes[i]);
}

int main() { run_threads(body); }
