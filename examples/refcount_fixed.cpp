// refcount.cpp, repaired: exactly one decrement returns 1, and that one deletes.
//
//   mazur check examples/refcount_fixed.cpp
//
// Verified.
#include <atomic>
#include <thread>

struct Texture {
  std::atomic<int> owners{2};
  int pixels[4] = {};
};

void release(Texture* texture) {
  if (texture->owners.fetch_sub(1) == 1) delete texture;
}

int main() {
  Texture* texture = new Texture;
  std::thread t(release, texture);
  release(texture);
  t.join();
}
