// References are taken in two steps, a load and a store, so that one can get lost: the object is
// freed while somebody still counts on it.
#include <atomic>
#include <thread>

struct Object {
  std::atomic<int> references{1};
  std::atomic<int> value{7};
};

static std::atomic<int> seen;

static void retain(Object* object) {
  int references = object->references.load();
  object->references.store(references + 1);
}

static void use_and_release(Object* object) {
  seen.store(object->value.load());                         // BUG-LINE
  if (object->references.fetch_sub(1) == 1) delete object;  // BUG-LINE
}

int main() {
  Object* object = new Object;
  retain(object);
  std::thread t([object] {
    retain(object);
    use_and_release(object);
    use_and_release(object);
  });
  retain(object);
  use_and_release(object);
  use_and_release(object);
  t.join();
}
