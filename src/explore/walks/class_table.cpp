#include "explore/walks/class_table.h"

#include <utility>

#include "base/hash.h"

namespace mazur {
PrefixClass PrefixClass::with_last_of(const Trace& trace) const {
  const auto last = static_cast<EventIndex>(trace.size() - 1);
  const Event& event = trace[last];
  const std::uint64_t step = std::uint64_t{event.thread} << 16 | event.choice;
  std::uint64_t a = mixed_well(kHashSeed, step);
  std::uint64_t b = mixed_well(0x13198a2e03707344, step);
  const auto clock = trace.clock(last);
  for (std::size_t t = 0; t < clock.size(); ++t) {
    if (clock[t] == 0) continue;
    const std::uint64_t part = std::uint64_t{t} << 32 | clock[t];
    a = mixed_well(a, part);
    b = mixed_well(b, part);
  }
  return {high + a, low + b};
}

PrefixClass PrefixClass::with(std::uint64_t number) const {
  return {mixed_well(high, number + 1), mixed_well(low, ~number)};
}

const ClassTable::Slot* ClassTable::find(const PrefixClass& name) const {
  for (std::size_t i = 0; i < kProbes; ++i) {
    const Slot& slot = slots_[(name.low + i) & (slots_.size() - 1)];
    if (slot.used && slot.name == name) return &slot;
  }
  return nullptr;
}

bool ClassTable::contains(const PrefixClass& name, std::uint32_t cost) const {
  const Slot* slot = find(name);
  return slot != nullptr && slot->cost <= cost;
}

bool ClassTable::seen(const PrefixClass& name, std::uint32_t cost) {
  if (const Slot* slot = find(name); slot != nullptr) {
    if (slot->cost <= cost) return true;
    const_cast<Slot*>(slot)->cost = cost;
    return false;
  }
  insert({name, cost, true});
  return false;
}

void ClassTable::insert(const Slot& slot) {
  for (;;) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < kProbes; ++i) {
      Slot& at = slots_[(slot.name.low + i) & mask];
      if (at.used) continue;
      at = slot;
      return;
    }
    if (slots_.size() == kMostSlots) {
      slots_[(slot.name.low + slot.name.high % kProbes) & mask] = slot;  // forgets another
      return;
    }
    std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
    for (const Slot& old : before)
      if (old.used) insert(old);
  }
}

}  // namespace mazur
