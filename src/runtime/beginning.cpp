#include "runtime/beginning.h"

#include "explore/registry.h"
#include "machine/native/engine/fiber.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/loops/native_looks.h"
#include "machine/native/loops/round_assumptions.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/loops/standard_lock.h"
#include "machine/native/loops/waiting_loop.h"

namespace mazur::native {

void begin_exploration(const Request& request, ProgramMachine& program) {
  const bool forks = request.isolation == Isolation::kFork;
  runtime.note_places = request.bounds.unroll != 0 || request.bounds.loop_count != 0;
  if (request.races == Races::kExplore && request.every_access == 0 && !forks)
    share_only({}, /*grows=*/true);
  const ExplorerEntry* entry = find_explorer(request.algorithm);
  threads_are_numbered_anew = entry != nullptr && entry->covers == Covers::kSamples;
  note_quiet_writes = shared_granules.on && entry != nullptr && entry->merges_states();
  if (request.watch_loops != 0 && !forks) learn_loops(program);
  if (!forks) return;
  // What a child finds out dies with it.
  assume_again(/*give_up=*/true);
  look_again(/*give_up=*/true);
  read_clocks_again(/*give_up=*/true);
}

void begin_again(bool too_often) {
  if (too_often) want_everything_shared();
  if (has_new_shared()) take_over_shared();
  assume_again(too_often);
  look_again(too_often);
  read_clocks_again(too_often);
  if (standard_locks_failed()) give_up_standard_locks();
}

}  // namespace mazur::native
