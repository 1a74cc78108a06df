// A reference count decremented in two steps: the object is freed while the other still reads it.
#include <atomic>
#include <thread>

struct Object {
  std::atomic<int> references{2};
  std::atomic<int> value{7};
};

static std::atomic<int> seen;

static void use(Object* object) {
  seen.store(object->value.load());          // BUG-LINE
  int left = object->references.load() - 1;  // BUG-LINE
  object->references.store(left);            // BUG-LINE
  if (left <= 1) delete object;
}

int main() {
  Object* object = new Object;
  std::thread t(use, object);
  use(object);
  t.join();
}
