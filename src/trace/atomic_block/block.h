// Atomic blocks: events with many accesses.
//
// A label stays plain data of fixed size. What a block touched is an immutable list in a table of
// the process. What it found and left there is another list. The label says where they are:
//   value    the list of accesses; 0 if they are not known
//   before   the list of values
//   object, read, written
//            fingerprints of what it touched, of the values it found and of those it left
//   size     the number of accesses
//   success  it reached its end; otherwise an assume failed in it
// A label that goes to another process takes both lists with it: see contents() and intern().
//
// Accesses of one block are disjoint, sorted, and at most 8 bytes each in memory. They are to
// memory and mutexes only. A mutex is in the list once, with the mode of what others can see of it:
//   kAcquire  it was free: the block holds it now, or has released it again
//   kRelease  the thread held it, and now it is free
//   kProbe    another thread held it: a trylock failed
// A mutex that the thread held before and after is not in the list.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/access.h"

namespace mazur {

// One access of an executed block. `before` is the value at the start of the block, `after` the one
// at its end.
struct BlockAccess {
  Access access;
  bool reads = false;  // read before it was written: what the block does may depend on `before`
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

struct BlockValue {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  friend bool operator==(const BlockValue&, const BlockValue&) = default;
};

// Whether this is a block that has not run, or not where it is to run now: it may touch anything.
inline bool is_unknown_block(const Operation& op) {
  return op.kind == OpKind::kAtomicBlock && op.value == 0;
}
// Makes it one.
inline void forget_accesses(Operation& block) { block.value = 0; }

class BlockTable {
 public:
  // Makes the label that of an executed block with these accesses.
  void intern(std::span<const BlockAccess> accesses, Label& label);

  // For the label of an executed block. The spans are parallel. They stay valid; those of values
  // only until the next keep_values().
  std::span<const Access> accesses(const Label& label) const {
    const Shape& shape = shapes_[label.value - 1];
    return {shape.list.get(), shape.size};
  }
  std::span<const bool> reads(const Label& label) const {
    const Shape& shape = shapes_[label.value - 1];
    return {shape.reads.get(), shape.size};
  }
  std::span<const BlockValue> values(const Label& label) const {
    return values_[label.before].list;
  }
  std::vector<BlockAccess> contents(const Label& label) const;

  // Forgets all values but those of these events: otherwise there may be as many as there are
  // executions. Accesses are kept: there are few different ones.
  std::size_t values_size() const { return values_.size() - free_.size(); }
  void keep_values(std::span<const Event> events);

 private:
  struct Shape {
    std::unique_ptr<Access[]> list;
    std::unique_ptr<bool[]> reads;
    std::uint32_t size = 0;
  };
  struct Values {
    std::vector<BlockValue> list;
    std::uint64_t hash = 0;
    bool used = false;
  };

  std::uint64_t shape_of(std::span<const BlockAccess> accesses, std::uint64_t hash);
  std::uint64_t values_of(std::span<const BlockAccess> accesses, std::uint64_t hash);

  std::vector<Shape> shapes_;
  std::vector<Values> values_;
  std::vector<std::uint64_t> free_;  // places in values_
  std::unordered_multimap<std::uint64_t, std::uint64_t> shape_by_hash_;
  std::unordered_multimap<std::uint64_t, std::uint64_t> values_by_hash_;
};

extern BlockTable block_table;

// The values of one byte around a write.
struct ByteWrite {
  bool written = false;
  std::uint8_t before = 0;
  std::uint8_t after = 0;
};
// What the executed event did to a byte of memory.
ByteWrite byte_write(const Label& label, ObjectId address);

// Whether every byte of the range is written by the label's event.
bool writes_all(const Label& label, ObjectId object, std::uint32_t size);

// Whether the block released this mutex, which its thread had held.
bool releases_mutex(const Label& block, ObjectId mutex);

// Whether what the block f read first was written by e, so that without e it might have done
// something else.
bool reads_from(const Label& f, const Label& e);

}  // namespace mazur
