#include "machine/native/engine/shared_granules.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/hash.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {

constinit SharedGranules shared_granules;

namespace {

// Sorted. Not part of the snapshot: they outlive executions.
constinit std::vector<std::uint64_t> shared;
constinit std::vector<std::uint64_t> wanted;
bool everything_wanted = false;
bool grows = false;

bool contains(const std::vector<std::uint64_t>& sorted, std::uint64_t granule) {
  return std::binary_search(sorted.begin(), sorted.end(), granule);
}

// Tells mazur, which needs it if the program takes this process down with it.
void publish() {
  Channel* channel = runtime.channel;
  if (channel == nullptr) return;
  channel->granules.store(kAllGranules, std::memory_order_relaxed);
  if (!shared_granules.on) return;
  std::copy(shared.begin(), shared.end(), channel->granule);
  channel->granules.store(static_cast<std::uint32_t>(shared.size()), std::memory_order_relaxed);
}

}  // namespace

void share_only(std::span<const std::uint64_t> granules, bool may_grow) {
  if (granules.size() > Channel::kMaxGranules) return share_everything();
  shared.assign(granules.begin(), granules.end());
  std::sort(shared.begin(), shared.end());
  std::memset(shared_granules.bits, 0, sizeof shared_granules.bits);
  for (const std::uint64_t granule : shared) {
    const std::uint64_t hash = shared_granules.place(granule);
    shared_granules.bits[hash >> 6] |= std::uint64_t{1} << (hash & 63);
  }
  shared_granules.on = true;
  grows = may_grow;
  wanted.clear();
  everything_wanted = false;
  publish();
}

void share_everything() {
  shared.clear();
  wanted.clear();
  shared_granules.on = false;
  grows = everything_wanted = false;
  publish();
}

void note_shared(std::uintptr_t begin, std::size_t size) {
  if (!grows) return;
  const PrivateHeapScope scope;
  for (std::uint64_t granule = begin >> 3; granule <= (begin + size - 1) >> 3; ++granule) {
    if (contains(shared, granule)) continue;
    const auto at = std::lower_bound(wanted.begin(), wanted.end(), granule);
    if (at == wanted.end() || *at != granule) wanted.insert(at, granule);
    if (shared.size() + wanted.size() > Channel::kMaxGranules) return want_everything_shared();
  }
}

void want_everything_shared() { everything_wanted = grows; }

bool has_new_shared() { return !wanted.empty() || everything_wanted; }

void take_over_shared() {
  if (everything_wanted) return share_everything();
  std::vector<std::uint64_t> all;
  all.reserve(shared.size() + wanted.size());
  std::merge(shared.begin(), shared.end(), wanted.begin(), wanted.end(), std::back_inserter(all));
  share_only(all, grows);
}

bool shared_can_grow() { return grows; }

std::vector<std::uint64_t> shared_list() { return shared; }

SharedPart shared_part(std::uintptr_t begin, std::size_t size) {
  const auto first = std::lower_bound(shared.begin(), shared.end(), begin >> 3);
  const auto end = std::lower_bound(first, shared.end(), (begin + size) >> 3);
  if (first == end) return {};
  return {*first << 3, (*(end - 1) - *first + 1) << 3};
}

bool in_shared_set(std::uint64_t granule) { return contains(shared, granule); }

void give_up_execution() {
  {
    const PrivateHeapScope scope;
    machine->failed(FailureKind::kUnsupported, "accesses that were no events have to be some", {});
  }
  machine->thread_ended(*runtime.current);
  abandon();
}

// ---- Loops without an event

namespace {

// What a thread has touched lately. A loop that waits for others reads a few places again and
// again, and writes only to its own stack.
struct Window {
  static constexpr std::size_t kAccesses = 4096;
  static constexpr std::size_t kPlaces = WaitingLoop::kReads;
  struct Place {
    std::uint64_t granule;
    bool written;
  };
  Place places[kPlaces];
  std::size_t count = 0;
  std::size_t accesses = 0;

  void clear() { count = accesses = 0; }
  // False: too many places.
  bool add(std::uint64_t granule, bool writes) {
    Place* const end = places + count;
    Place* at = std::find_if(places, end, [&](const Place& p) { return p.granule == granule; });
    if (at == end) {
      if (count == kPlaces) return false;
      *at = {granule, false};
      ++count;
    }
    at->written = at->written || writes;
    return true;
  }
};
Window window;

}  // namespace

void watch_quiet_loop(std::uintptr_t address, std::size_t size, bool writes) {
  if (!grows) return;
  if (runtime.plain_accesses == kQuietPatience) window.clear();
  const bool on_stack = address - runtime.stack < kStackSize;
  bool fits = !writes || on_stack;
  for (std::uint64_t g = address >> 3; fits && g <= (address + size - 1) >> 3; ++g)
    fits = window.add(g, writes);
  if (!fits) return window.clear();
  if (++window.accesses < Window::kAccesses) return;
  bool waits = false;
  for (std::size_t i = 0; i < window.count; ++i) {
    if (window.places[i].written) continue;
    note_shared(window.places[i].granule << 3, 8);
    waits = true;
  }
  window.clear();
  if (waits) give_up_execution();
}

// ---- Quiet writes

bool note_quiet_writes = false;

namespace {

struct StepWrites {
  static constexpr std::size_t kMost = 256;
  std::uint64_t granules[kMost];
  std::size_t count = 0;
  bool too_many = false;
};
StepWrites step_writes[2];  // of this step and the one before
unsigned this_step = 0;

}  // namespace

void note_quiet_write(std::uintptr_t address, std::size_t size) {
  StepWrites& writes = step_writes[this_step];
  for (std::uint64_t g = address >> 3; g <= (address + size - 1) >> 3; ++g) {
    std::uint64_t* const end = writes.granules + writes.count;
    if (std::find(end - std::min<std::size_t>(writes.count, 8), end, g) != end) continue;
    if (writes.count == StepWrites::kMost) {
      writes.too_many = true;
      return;
    }
    writes.granules[writes.count++] = g;
  }
}

void quiet_step_begins() {
  this_step ^= 1;
  step_writes[this_step].count = 0;
  step_writes[this_step].too_many = false;
}

bool quiet_writes_state(std::uint64_t& hash) {
  std::uint64_t all[2 * StepWrites::kMost];
  std::uint64_t* end = all;
  for (const StepWrites& writes : step_writes) {
    if (writes.too_many) return false;
    end = std::copy_n(writes.granules, writes.count, end);
  }
  std::sort(all, end);
  end = std::unique(all, end);
  for (const std::uint64_t* g = all; g != end; ++g) {
    std::uint64_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(*g << 3), sizeof value);
    hash = mixed(mixed(hash, *g), value);
  }
  return true;
}

}  // namespace mazur::native
