#include "machine/native/watch/ticks.h"

#include <time.h>

#include "base/stop.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

double deadline = 0;  // 0: none

double now() {
  timespec t;
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&t));
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

void set_time_limit(double seconds) { deadline = seconds > 0 ? now() + seconds : 0; }

void tick() {
  clock_ticks.fetch_add(1, std::memory_order_relaxed);
  const bool asked =
      runtime.channel != nullptr && runtime.channel->stop.load(std::memory_order_relaxed) != 0;
  if (asked || (deadline > 0 && now() >= deadline)) stop_wish.store(true);
}

}  // namespace mazur::native
