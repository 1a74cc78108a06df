// Which bytes of memory an executed event reads and writes: one range for single operations, many
// for atomic blocks.
#pragma once

#include "trace/atomic_block/block.h"
#include "trace/dependence.h"
#include "trace/label.h"

namespace mazur {

struct MemoryUse {
  ObjectId begin = 0;
  ObjectId end = 0;  // one past the last byte
  bool reads = false;
  bool writes = false;
  bool contains(ObjectId byte) const { return begin <= byte && byte < end; }
  bool overlaps(const MemoryUse& other) const { return begin < other.end && other.begin < end; }
};

// Calls visit for each range until it returns false; returns whether it never did. A block of which
// nothing is known has none. A block reads only what it has not written before.
template <typename Visit>
bool all_uses(const Label& l, Visit&& visit) {
  if (l.kind != OpKind::kAtomicBlock) {
    const MemoryUse use{l.object, l.object + l.size, reads_memory(l), writes_memory(l)};
    return !(use.reads || use.writes) || visit(use);
  }
  if (is_unknown_block(l)) return true;
  const auto list = block_table.accesses(l);
  const auto reads = block_table.reads(l);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Access& a = list[i];
    if (a.space != Space::kMemory) continue;
    const MemoryUse use{a.object, a.object + a.size, reads[i], a.mode == mode::kWrite};
    if (!visit(use)) return false;
  }
  return true;
}
template <typename Test>
bool any_use(const Label& l, Test&& test) {
  return !all_uses(l, [&](const MemoryUse& use) { return !test(use); });
}

inline bool writes_byte(const Label& l, ObjectId byte) {
  return any_use(l, [&](const MemoryUse& use) { return use.writes && use.contains(byte); });
}

}  // namespace mazur
