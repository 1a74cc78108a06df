// An object is destroyed while another thread calls one of its virtual functions.
#include <thread>

struct Base {
  virtual int number() const { return 1; }
  virtual ~Base() { seen = number(); }
  int seen = 0;
};
struct Derived : Base {
  int number() const override { return 2; }
};

Base* object;

int main() {
  object = new Derived;
  std::thread t([] { object->seen = object->number(); });
  delete object;
  t.join();
}
