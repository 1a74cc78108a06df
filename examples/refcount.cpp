// An intrusive reference count that is decremented and then looked at, in two steps.
//
//   mazur check examples/refcount.cpp
//
// Double free, or in another schedule use after free: both threads decrement, then both see zero.
// refcount_fixed.cpp uses the value that the decrement itself returns.
#include <atomic>
#include <thread>

struct Texture {
  std::atomic<int> owners{2};
  int pixels[4] = {};
};

void release(Texture* texture) {
  texture->owners.fetch_sub(1);
  if (texture->owners.load() == 0) delete texture;
}

int main() {
  Texture* texture = new Texture;
  std::thread t(release, texture);
  release(texture);
  t.join();
}
