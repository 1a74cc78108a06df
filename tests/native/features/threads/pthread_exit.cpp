// pthread_exit unwinds the stack: destructors and cleanup handlers run, the value reaches join.
#include <pthread.h>

#include <cassert>

static int destroyed[2];
static int cleaned[2];

struct Counts {
  long id;
  ~Counts() { destroyed[id]++; }
};

static void cleanup(void* id) { cleaned[reinterpret_cast<long>(id)]++; }

static void deep(long id) {
  Counts inner{id};
  pthread_exit(reinterpret_cast<void*>(id + 5));
}

static void* run(void* p) {
  long id = reinterpret_cast<long>(p);
  Counts outer{id};
  pthread_cleanup_push(cleanup, p);
  deep(id);
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) {
    assert(pthread_create(&t[i], nullptr, run, reinterpret_cast<void*>(i)) == 0);
  }
  for (long i = 0; i < 2; i++) {
    void* result;
    assert(pthread_join(t[i], &result) == 0);
    assert(result == reinterpret_cast<void*>(i + 5));
    assert(destroyed[i] == 2);
    assert(cleaned[i] == 1);
  }
}
