// Which plain accesses are events with --races=explore: those to memory that threads share.
//
// Two accesses that conflict and that the creation and the end of threads order have that order in
// every execution: no race of theirs can be reversed. So an access needs to be an event only if
// some access of another thread conflicts with it and is not ordered in that way. The shadow memory
// finds such pairs, with clocks that only creation and join synchronise; their granules (8 bytes)
// are *shared*, from then on in every execution. What is no event is *quiet*.
//
// An execution in which a new granule comes up was run with too few events, and so were those
// before it: the exploration begins again (check/loop.h). docs/races.md says why nothing is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "protocol/channel.h"

namespace mazur::native {

struct SharedGranules {
  bool on = false;                // false: every plain access is an event
  std::uint64_t bits[1024] = {};  // hashes of the shared ones, in front of the set
  static std::uint64_t place(std::uint64_t granule) { return spread(granule) >> 48; }
};
extern SharedGranules shared_granules;

// From now on only accesses to these granules are events. `grows`: new ones may come up.
void share_only(std::span<const std::uint64_t> granules, bool grows);
// From now on all accesses are events.
void share_everything();

// These bytes are to be shared, from the next take_over_shared() on.
void note_shared(std::uintptr_t begin, std::size_t size);
// The same for all memory.
void want_everything_shared();
// Whether something new is to be shared; shares it from now on.
bool has_new_shared();
void take_over_shared();
// Whether new granules may come up.
bool shared_can_grow();
// The shared granules, for a record.
std::vector<std::uint64_t> shared_list();

// From the first shared granule in a range of whole granules to the last one. The size is 0 if
// there is none, or if all memory is shared.
struct SharedPart {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
};
SharedPart shared_part(std::uintptr_t begin, std::size_t size);

bool in_shared_set(std::uint64_t granule);
inline bool is_shared_granule(std::uint64_t granule) {
  const std::uint64_t hash = shared_granules.place(granule);
  return __builtin_expect((shared_granules.bits[hash >> 6] >> (hash & 63) & 1) != 0, 0) &&
         in_shared_set(granule);
}
// Whether a plain access to these bytes is an event. size > 0.
inline bool is_shared(std::uintptr_t address, std::size_t size) {
  if (!shared_granules.on) return true;
  const std::uintptr_t last = (address + size - 1) >> 3;
  for (std::uintptr_t granule = address >> 3; granule <= last; ++granule)
    if (is_shared_granule(granule)) return true;
  return false;
}

// Ends the execution, which does not count because more memory has to be shared. Only on a fiber.
[[noreturn]] void give_up_execution();

// A quiet access of a thread that has made very many since its last event. It may wait in a loop
// for another thread to write: then what it reads there becomes shared.
inline constexpr std::uint64_t kQuietPatience = 20'000;
void watch_quiet_loop(std::uintptr_t address, std::size_t size, bool writes);

// For comparing states: what the last two steps have written quietly.
extern bool note_quiet_writes;
void note_quiet_write(std::uintptr_t address, std::size_t size);
void quiet_step_begins();
// Adds a fingerprint of it to `hash`. Returns false if too much was written.
bool quiet_writes_state(std::uint64_t& hash);

}  // namespace mazur::native
