// Trial runs that find the operations at which loops wait, before an exploration (waiting_loop.h).
#include <time.h>

#include "base/random_source.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/loops/kept_memory.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/loops/standard_lock.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/memory/raw.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/races/race_report.h"
#include "machine/native/system/output.h"
#include "machine/native/watch/watchdog.h"

namespace mazur::native {

void learn_loops(Machine& program) {
  constexpr std::uint64_t kRuns = 40;
  constexpr int kSteps = 400;
  // What is found must not depend on how busy this machine is. So work is counted; the time is for
  // programs that work where nothing is counted.
  constexpr std::uint64_t kAccesses = 2'000'000;
  constexpr std::int64_t kNanoseconds = 500'000'000;
  const auto now = [] {
    timespec t;
    raw_syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, reinterpret_cast<long>(&t));
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
  };
  const std::int64_t start = now();
  const ShortSteps short_steps(kNanoseconds * 1e-9);
  std::uint64_t accesses = 0;
  const bool races = race_state.on;
  race_state.on = races && shared_can_grow();  // what threads share is learned here, too
  output_is_nobodys = true;
  note_loops(true);
  watch_all_writes(race_state.reports_races);
  for (std::uint64_t run = 0; run < kRuns && accesses < kAccesses && now() - start < kNanoseconds;
       ++run) {
    // One thread for a while, so that it comes to wait for others that stopped anywhere.
    RandomSource random(run, 0);
    if (has_new_shared()) take_over_shared();
    clock_reads_changed();  // from here on they are known
    program.restart();
    Step next;
    for (int step = 0; step < kSteps && program.failure() == nullptr; ++step) {
      const Frontier& frontier = program.frontier();
      const Pending* last = frontier.find(next.thread);
      if (random.below(6) == 0 || last == nullptr || !last->enabled) {
        next.thread = kNoThread;
        unsigned seen = 0;
        for (const Pending& p : frontier.threads())
          if (p.enabled && random.below(++seen) == 0) next.thread = p.thread;
      }
      if (next.thread == kNoThread) break;
      note_for_standard_lock(program.run(next).label);
      accesses += runtime.plain_accesses;
    }
    if (!knows_loops() && run == kRuns / 2) break;  // most programs have none
    // A call that blocks would do so in every run.
    if (program.failure() != nullptr && ends_exploration(program.failure()->kind)) break;
  }
  note_loops(false);
  clock_reads_changed();
  read_clocks_again(/*give_up=*/false);  // nothing is explored yet
  heed_standard_locks();
  watch_all_writes(false);
  if (has_new_shared()) take_over_shared();
  forget_pairs();
  start_output();
  output_is_nobodys = false;
  race_state.on = races;
}

}  // namespace mazur::native
