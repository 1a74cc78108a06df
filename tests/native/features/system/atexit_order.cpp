// atexit handlers and static destructors run in reverse order, once per execution; a joined
// thread's local static is destroyed with the rest.
#include <cassert>
#include <cstdlib>
#include <thread>

static int stage;

static void expect(int n) {
  if (stage != n) std::abort();
  stage++;
}

struct Ends {
  int at;
  ~Ends() { expect(at); }
};

static Ends last{4};

static void use_static() { static Ends middle{2}; }

int main() {
  std::atexit([] { expect(3); });
  std::thread t(use_static);
  t.join();
  std::atexit([] { expect(1); });
  std::atexit([] {
    if (stage != 0) std::abort();
    stage = 1;
  });
}
