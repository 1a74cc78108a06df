// Randomness, and other numbers that differ from process to process.
//
// Enabled, does, depends on, reversible: no events. Each thread has its own stream of numbers,
// which depends on nothing but the thread and its own calls, so that it is the same in every
// execution and does not depend on the schedule. That goes for rand() and random() as well, whose
// one hidden state would otherwise be shared by all threads.
#include "machine/native/randomness.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstring>

#include "machine/native/per_execution.h"
#include "machine/native/primitive.h"
#include "machine/native/snapshot.h"

namespace mazur::native {
namespace {

constexpr long kProcessors = 2;

// Steele, Lea and Flood's SplitMix64.
struct Stream {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
};

// The system's randomness, and what srand() seeds.
Stream streams[kMaxThreads];
Stream seeded[kMaxThreads];
ThreadId streams_used = 0;  // those below it have to be reset

void reset_stream(ThreadId id) {
  streams[id].state = (std::uint64_t{id} + 1) << 32;
  seeded[id].state = (std::uint64_t{id} + 1) << 40;
}

const PerExecution reset([] {
  for (ThreadId id = 0; id < streams_used; ++id) reset_stream(id);
});

ThreadId my_streams() {
  const ThreadId id = current_thread();
  for (; streams_used <= id; ++streams_used) reset_stream(streams_used);
  return id;
}

std::uint64_t random_number() { return streams[my_streams()].next(); }
std::uint64_t seeded_number() { return seeded[my_streams()].next(); }
void seed(std::uint64_t value) { seeded[my_streams()].state = value; }

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
  if (size > 256) {
    errno = EIO;
    return -1;
  }
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

MAZUR_EXPORT void srand(unsigned value) noexcept { seed(value); }
MAZUR_EXPORT void srandom(unsigned value) noexcept { seed(value); }
MAZUR_EXPORT int rand() noexcept { return static_cast<int>(seeded_number() & RAND_MAX); }
MAZUR_EXPORT long random() noexcept { return static_cast<long>(seeded_number() & RAND_MAX); }

MAZUR_EXPORT void srand48(long value) noexcept { seed(static_cast<std::uint64_t>(value)); }
MAZUR_EXPORT long lrand48() noexcept { return static_cast<long>(seeded_number() & 0x7fffffff); }
MAZUR_EXPORT long mrand48() noexcept {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(seeded_number()));
}
MAZUR_EXPORT double drand48() noexcept {
  return static_cast<double>(seeded_number() >> 11) * 0x1p-53;
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
