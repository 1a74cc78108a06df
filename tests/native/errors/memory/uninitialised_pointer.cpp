// A node whose link is set after it was published: the reader follows what malloc left there.
#include <atomic>
#include <cstdlib>
#include <thread>

struct Node {
  int value;
  std::atomic<Node*> next;
};
static std::atomic<Node*> head{nullptr};

int main() {
  std::thread writer([] {
    auto* node = static_cast<Node*>(std::malloc(sizeof(Node)));
    head.store(node);
    node->next.store(nullptr);
  });
  if (Node* first = head.load()) {
    if (Node* second = first->next.load()) second->next.load();  // BUG-LINE
  }
  writer.join();
  std::free(head.load());
}
