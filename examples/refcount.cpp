// An intrusive reference count that is decremented and then looked at, in two steps.
//
//   mazur check examples/refcount.cpp
//
// Data race: nothing orders the deletion after the other thread's look at the count. That is the
// first sign; in another schedule both threads decrement, both see zero, and both delete
// (--races=ignore shows that one). refcount_fixed.cpp uses what the decrement itself returns.
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
