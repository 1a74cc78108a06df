// Randomness, and other numbers that differ from process to process.
//
// Enabled, does, depends on, reversible: no events. Each thread has its own stream of numbers,
// which depends on nothing but the thread and its own calls, so that it is the same in every
// execution and does not depend on the schedule. That goes for rand() and random() as well, whose
// one hidden state would otherwise be shared by all threads.
#include "machine/native/system/randomness.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstring>

#include "base/random_source.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/library/failed_with.h"
#include "machine/native/primitives/primitive.h"

namespace mazur::native {
namespace {

constexpr long kProcessors = 2;

// What a thread draws from: the system's randomness, and libc's generators with a state of its own.
// Main's are seeded as libc's are at first.
struct Generators {
  std::uint64_t system;  // the state of next_random()
  random_data random;
  char random_state[128];
  drand48_data rand48;
};
Generators generators[kMaxThreads];
std::uint32_t seeded_in[kMaxThreads];  // the execution, plus one
// Main's at the snapshot, if constructors have used them. (Its pointers point into generators[0].)
Generators main_generators;
bool main_has_generators = false;

const PerExecution capture_main(nullptr, [] {
  main_has_generators = seeded_in[0] == runtime.execution + 1;
  main_generators = generators[0];
});

Generators& my_generators() {
  note_change(LoopObstacle::kRandom);
  const ThreadId id = current_thread();
  Generators& mine = generators[id];
  if (seeded_in[id] != runtime.execution + 1) {
    seeded_in[id] = runtime.execution + 1;
    if (id == 0 && main_has_generators) {
      mine = main_generators;
      return mine;
    }
    mine = {};
    mine.system = (std::uint64_t{id} + 1) << 32;
    initstate_r(id + 1u, mine.random_state, sizeof mine.random_state, &mine.random);
    if (id != 0) srand48_r(id, &mine.rand48);
  }
  return mine;
}

std::uint64_t random_number() { return next_random(my_generators().system); }

}  // namespace

pid_t current_thread_number() { return kProcessId + current_thread(); }

void fill_random(void* buffer, std::size_t size) {
  auto* out = static_cast<unsigned char*>(buffer);
  while (size > 0) {
    const std::uint64_t number = random_number();
    const std::size_t part = size < sizeof number ? size : sizeof number;
    std::memcpy(out, &number, part);
    out += part;
    size -= part;
  }
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT ssize_t getrandom(void* buffer, std::size_t size, unsigned) {
  fill_random(buffer, size);
  return static_cast<ssize_t>(size);
}

MAZUR_EXPORT int getentropy(void* buffer, std::size_t size) {
  if (size > 256) return failed_with(EIO);
  fill_random(buffer, size);
  return 0;
}

MAZUR_EXPORT std::uint32_t arc4random() noexcept {
  return static_cast<std::uint32_t>(random_number());
}

MAZUR_EXPORT void arc4random_buf(void* buffer, std::size_t size) noexcept {
  fill_random(buffer, size);
}

MAZUR_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  return bound < 2 ? 0 : static_cast<std::uint32_t>(random_number() % bound);
}

// std::random_device::_M_getval()
MAZUR_EXPORT unsigned mazur_random_device(void*) asm("_ZNSt13random_device9_M_getvalEv");
unsigned mazur_random_device(void*) { return static_cast<unsigned>(random_number()); }

MAZUR_EXPORT void srandom(unsigned seed) noexcept { srandom_r(seed, &my_generators().random); }
MAZUR_EXPORT void srand(unsigned seed) noexcept { srandom_r(seed, &my_generators().random); }
MAZUR_EXPORT long random() noexcept {
  std::int32_t number = 0;
  random_r(&my_generators().random, &number);
  return number;
}
MAZUR_EXPORT int rand() noexcept {
  std::int32_t number = 0;
  random_r(&my_generators().random, &number);
  return number;
}

MAZUR_EXPORT void srand48(long seed) noexcept { srand48_r(seed, &my_generators().rand48); }
MAZUR_EXPORT long lrand48() noexcept {
  long number = 0;
  lrand48_r(&my_generators().rand48, &number);
  return number;
}
MAZUR_EXPORT long mrand48() noexcept {
  long number = 0;
  mrand48_r(&my_generators().rand48, &number);
  return number;
}
MAZUR_EXPORT double drand48() noexcept {
  double number = 0;
  drand48_r(&my_generators().rand48, &number);
  return number;
}

MAZUR_EXPORT pid_t getpid() noexcept { return kProcessId; }
MAZUR_EXPORT pid_t getppid() noexcept { return kProcessId - 1; }
MAZUR_EXPORT pid_t gettid() noexcept { return current_thread_number(); }
MAZUR_EXPORT int sched_getcpu() noexcept { return 0; }

MAZUR_EXPORT int get_nprocs() noexcept { return kProcessors; }
MAZUR_EXPORT int get_nprocs_conf() noexcept { return kProcessors; }

MAZUR_EXPORT int sched_getaffinity(pid_t, std::size_t size, cpu_set_t* set) noexcept {
  std::memset(static_cast<void*>(set), 0, size);
  for (int processor = 0; processor < kProcessors; ++processor) CPU_SET_S(processor, size, set);
  return 0;
}

MAZUR_EXPORT long sysconf(int name) noexcept {
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return kProcessors;
  static long (*slot)(int);
  return real(slot, "sysconf")(name);
}
