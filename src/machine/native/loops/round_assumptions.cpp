#include "machine/native/loops/round_assumptions.h"

#include <algorithm>
#include <vector>

#include "machine/native/engine/fiber.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {

bool stacks_are_looked_at = false;
bool atomics_are_relied_on = false;
bool plain_changes_matter = false;

namespace {

// Granules of 8 bytes. Not part of the snapshot: they outlive executions.
class Granules {
 public:
  static constexpr std::size_t kMost = 4096;

  // Returns whether something new came in.
  bool add(std::uintptr_t address, std::size_t size) {
    if (all_ || size == 0) return false;
    const PrivateHeapScope scope;
    if (sorted_.size() + size / 8 > kMost) return all_ = true;
    bool grown = false;
    for (std::uintptr_t g = address >> 3; g <= (address + size - 1) >> 3; ++g) {
      const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), g);
      if (at != sorted_.end() && *at == g) continue;
      sorted_.insert(at, g);
      grown = true;
    }
    return grown;
  }
  bool meets(std::uintptr_t address, std::size_t size) const {
    if (all_) return true;
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(), address >> 3);
    return at != sorted_.end() && *at <= (address + size - 1) >> 3;
  }
  void add_all() { all_ = true; }
  bool has_all() const { return all_; }
  const std::vector<std::uintptr_t>& sorted() const { return sorted_; }

 private:
  std::vector<std::uintptr_t> sorted_;
  bool all_ = false;
};

Granules looked_at;     // of stacks, by other threads
Granules read_in_vain;  // with atomic operations
bool stacks_judged = false;
bool atomics_may_race = false;
bool failed = false;

}  // namespace

void note_foreign_access(std::uintptr_t address, std::size_t size) {
  if (!looked_at.add(address, size)) return;
  stacks_are_looked_at = true;
  failed = failed || stacks_judged;
}

bool is_looked_at(std::uintptr_t address) { return looked_at.meets(address, 1); }
void rely_on_hidden_stacks() { stacks_judged = true; }

bool rely_on_atomics(std::uintptr_t address, std::size_t size) {
  if (atomics_may_race) return false;
  read_in_vain.add(address, size);
  return atomics_are_relied_on = plain_changes_matter = true;
}

void note_plain_change(std::uintptr_t address, std::size_t size) {
  if (atomics_may_race || !read_in_vain.meets(address, size) || is_alone()) return;
  atomics_may_race = failed = true;
}

bool assumptions_failed() { return failed; }

void assume_again(bool give_up) {
  failed = stacks_judged = false;
  if (!give_up) return;
  looked_at.add_all();
  stacks_are_looked_at = atomics_may_race = true;
}

void add_round_knowledge(SharedKnowledge& known) {
  known.looked_at.assign(looked_at.sorted().begin(), looked_at.sorted().end());
  known.all_looked_at = looked_at.has_all();
  known.relied_on_rest = stacks_judged;
  known.atomics_may_race = atomics_may_race;
}

void take_round_knowledge(const SharedKnowledge& known) {
  if (known.all_looked_at) looked_at.add_all();
  for (const std::uint64_t granule : known.looked_at) looked_at.add(granule << 3, 8);
  stacks_are_looked_at = stacks_are_looked_at || known.all_looked_at || !known.looked_at.empty();
  atomics_may_race = atomics_may_race || known.atomics_may_race;
}

}  // namespace mazur::native
