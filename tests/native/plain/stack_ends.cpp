// A thread reads a local variable of the thread that made it, which may have ended by then.
#include <pthread.h>

void* read(void* argument) {
  volatile int seen = *static_cast<int*>(argument);  // line 5
  (void)seen;
  return nullptr;
}

void* create(void*) {
  int local = 1;
  pthread_t reader;
  pthread_create(&reader, nullptr, read, &local);
  pthread_detach(reader);
  return nullptr;
}

int main() {
  pthread_t creator;
  pthread_create(&creator, nullptr, create, nullptr);
  pthread_join(creator, nullptr);
}
