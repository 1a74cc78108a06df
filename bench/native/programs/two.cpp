// Two threads, four operations: what an execution costs beside its steps.
#include <pthread.h>

#include <atomic>

std::atomic<int> x, y;

void* first(void*) {
  x.store(1);
  return y.load() != 0 ? &x : nullptr;
}

void* second(void*) {
  y.store(1);
  return x.load() != 0 ? &y : nullptr;
}

#ifdef DATA  // so many bytes of initialised global data
char data[DATA] = {1};
#endif

int main() {
#ifdef DATA
  data[DATA / 2] = 1;
#endif
  pthread_t a, b;
  pthread_create(&a, nullptr, first, nullptr);
  pthread_create(&b, nullptr, second, nullptr);
  pthread_join(a, nullptr);
  pthread_join(b, nullptr);
}
