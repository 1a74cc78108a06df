// Runs a program with plain accesses that is given as arguments, one thread each, and prints what
// every thread saw. Words:
//   l<x> s<x><v>     load a plain variable; store v to it
//   i<x>             add one to it
//   L<x> S<x><v>     the same for atomic variables
//   p<b> w<b><v>     load from the block b of the heap; store v to it
//   f<b>             free the block
//   M<x>             add one to the plain variable under a mutex
//   c<x>             copy the plain variable to private memory, and back if it is odd
//   b<x><v>          in an atomic block: store v if the variable is not 0, and load it
//   v<x><v> V<x><v>  loop while the plain variable is v, and until it is
//   d<x><v>          loop while both plain variables are v
//   m<x><v>          loop while a copy of the plain variable, made by memcpy, is v
//   o<x><v>          loop while the plain variable is observed to be v
// Main reads all variables after it has joined the threads. The interpreter itself is not
// instrumented: what it does is not part of the program.
#include <mazur/mazur.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#define NOT_SEEN __attribute__((no_sanitize("thread"), noinline))
#define SEEN __attribute__((noinline))

namespace {

struct alignas(8) Padded {
  int value;
};
Padded plain[2];
std::atomic<int> shared[2];
long* block[2];
std::mutex mutex;

SEEN int load(const int* p) { return *p; }
SEEN void store(int* p, int value) { *p = value; }
SEEN void increment(int* p) { *p = *p + 1; }
SEEN int load_atomic(const std::atomic<int>* p) { return p->load(); }
SEEN void store_atomic(std::atomic<int>* p, int value) { p->store(value); }
SEEN int load_block(const long* p) { return static_cast<int>(*p); }
SEEN void store_block(long* p, int value) { *p = value; }
SEEN void copy(int* p) {
  int* own = new int(*p);
  *own += 1;
  if (*own % 2 == 0) *p = *own;
  delete own;
}
SEEN void increment_locked(int* p) {
  mutex.lock();
  increment(p);
  mutex.unlock();
}
SEEN int in_block(int* p, int value) {
  mazur_atomic_begin();
  if (*p != 0) *p = value;
  const int now = *p;
  mazur_atomic_end();
  return now;
}

SEEN int wait_while(const volatile int* p, int value) {
  int now = *p;
  while (now == value) now = *p;
  return now;
}
SEEN int wait_until(const volatile int* p, int value) {
  while (*p != value) {
  }
  return value;
}
SEEN int wait_for_both(const volatile int* p, const volatile int* q, int value) {
  while (*p == value && *q == value) {
  }
  return *p;
}
SEEN int wait_and_copy(const int* p, int value) {
  int now = value;
  while (now == value) std::memcpy(&now, p, sizeof now);
  return now;
}
SEEN int wait_and_observe(const int* p, int value) {
  while (mazur_runtime_observe(p, sizeof *p, 1, 2, value) != 0) {
  }
  return 0;
}

struct Seen {
  char text[64];
};
Seen seen[4];

// Seen: `context` compares what a thread has written, and knows nothing of what is not
// instrumented.
SEEN void saw(Seen& me, int value) {
  const std::size_t at = std::strlen(me.text);
  me.text[at] = static_cast<char>('0' + value % 10);
}

NOT_SEEN void run(const char* code, Seen* me) {
  for (const char* at = code; *at != 0; ++at) {
    if (*at == ' ') continue;
    const char kind = at[0];
    const int x = at[1] - '0';
    const int v = std::strchr("sSwbvVdmo", kind) != nullptr ? at[2] - '0' : 0;
    switch (kind) {
      case 'l':
        saw(*me, load(&plain[x].value));
        break;
      case 's':
        store(&plain[x].value, v);
        break;
      case 'i':
        increment(&plain[x].value);
        break;
      case 'L':
        saw(*me, load_atomic(&shared[x]));
        break;
      case 'S':
        store_atomic(&shared[x], v);
        break;
      case 'p':
        saw(*me, load_block(block[x]));
        break;
      case 'w':
        store_block(block[x], v);
        break;
      case 'f':
        std::free(block[x]);
        break;
      case 'M':
        increment_locked(&plain[x].value);
        break;
      case 'c':
        copy(&plain[x].value);
        break;
      case 'b':
        saw(*me, in_block(&plain[x].value, v));
        break;
      case 'v':
        saw(*me, wait_while(&plain[x].value, v));
        break;
      case 'V':
        saw(*me, wait_until(&plain[x].value, v));
        break;
      case 'd':
        saw(*me, wait_for_both(&plain[x].value, &plain[1 - x].value, v));
        break;
      case 'm':
        saw(*me, wait_and_copy(&plain[x].value, v));
        break;
      case 'o':
        saw(*me, wait_and_observe(&plain[x].value, v));
        break;
      default:
        std::abort();
    }
    while (at[1] != 0 && at[1] != ' ') ++at;
  }
}

}  // namespace

int main(int count, char** words) {
  for (long*& b : block) {
    b = static_cast<long*>(std::malloc(sizeof(long)));
    *b = 3;
  }
  std::vector<std::thread> threads;
  for (int i = 1; i < count; ++i) threads.emplace_back(run, words[i], &seen[i - 1]);
  for (std::thread& t : threads) t.join();
  std::printf("state %d %d |", load(&plain[0].value), load(&plain[1].value));
  for (const Seen& s : seen) std::printf(" [%s]", s.text);
  std::printf("\n");
}
