// What the stores of an execution have left, for execution graphs and weak memory models
// (docs/memory-models.md#on-the-native-machine).
//
// A step names the store that a load or update reads (Step::ref). The hook of an atomic operation
// knows nothing of that: before it goes on, memory is made to hold what it is to read, and when it
// has done its operation, memory gets what it should hold. That is, per cell, the newest of the
// stores that have been run, in coherence order. So plain accesses find what they should.
//
// A cell is a range of bytes that atomic operations access as a whole. When memory no longer holds
// the newest store, something else has written it: a constructor, memcpy, another object in the
// same place. Then the cell begins a new epoch, in which that is the initial value. To execution
// graphs another epoch is another location.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/fields.h"
#include "trace/label.h"

namespace mazur::native {

class StoredBytes {
 public:
  // Why a step cannot be run.
  enum class Trouble : std::uint8_t {
    kNone,
    kNoSuchStore,    // the step refers to no store of its cell
    kDifferentSize,  // other() has accessed some of the bytes with another size
    kTooManyEpochs,
  };
  struct LastAccess {
    ThreadId thread = kNoThread;
    std::uint64_t pc = 0;
    std::uint32_t size = 0;
  };

  // A new execution.
  void restart();
  // The thread is about to run an operation as step number `index` of the execution. Memory is as
  // it is to find it.
  Trouble begin(const Operation& op, StoreRef ref, StoreRef index, ThreadId thread,
                std::uint64_t pc) {
    now_ = {};
    if (is_in_memory(op)) return begin_access(op, ref, index, thread, pc);
    return ref == kNewest ? Trouble::kNone : Trouble::kNoSuchStore;
  }
  // The operation is done. Call it once after begin(), before anything else looks at memory.
  void end(const Label& label) {
    if (now_.cell != kNone) end_access(label);
  }

  // Of the operation since begin(): the epoch of its cell, from 1; 0 if it has none.
  std::uint16_t epoch() const { return now_.cell == kNone ? 0 : cells_[now_.cell].epoch; }
  // The store that it has read: the number of a step, or kNoStore.
  StoreRef source() const { return now_.source; }
  // The number of its step.
  StoreRef index() const { return now_.index; }
  const LastAccess& other() const { return other_; }
  // Whether it has found something else than what was stored last.
  bool has_read_old() const { return now_.swapped; }
  // Whether the byte holds what only this operation is to find, and not what was stored last.
  bool is_old(const char* byte) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  struct Cell {
    ObjectId object = 0;
    std::uint32_t size = 0;
    std::uint32_t stamp = 0;        // the execution in which it is alive, or was last
    std::uint32_t epoch_stamp = 0;  // the execution that `epoch` is of
    std::uint16_t epoch = 0;
    bool alive = false;
    bool overlaps = false;  // another cell has some of its bytes
    StoreRef newest = kNoStore;
    std::size_t initial = 0;       // where its initial bytes are kept
    std::size_t newest_bytes = 0;  // and those of the newest store
    LastAccess last;
  };
  struct Store {
    std::uint32_t stamp = 0;  // the execution that it is of
    std::uint32_t cell = kNone;
    std::uint16_t epoch = 0;
    std::size_t bytes = 0;
  };
  // Cells by the granules of 8 bytes that they have a part in.
  struct Link {
    std::uint32_t cell;
    std::uint32_t next;
  };
  // The operation under way.
  struct Now {
    std::uint32_t cell = kNone;
    StoreRef index = 0;
    StoreRef ref = kNewest;
    StoreRef source = kNoStore;
    bool swapped = false;
  };

  // Tables and keys have names that are no addresses.
  static bool is_in_memory(const Operation& op) {
    constexpr ObjectId kLowest = 4096;
    constexpr ObjectId kHighest = ObjectId{1} << 47;
    return (is_memory(op.kind) || is_once(op.kind)) && op.object >= kLowest && op.object < kHighest;
  }
  Trouble begin_access(const Operation& op, StoreRef ref, StoreRef index, ThreadId thread,
                       std::uint64_t pc);
  void end_access(const Label& label);
  Trouble find(ObjectId object, std::uint32_t size, std::uint32_t& cell);
  Trouble search(ObjectId object, std::uint32_t size, std::uint32_t& cell);
  std::uint32_t add(ObjectId object, std::uint32_t size);
  Trouble begin_epoch(Cell& cell);
  bool is_overwritten(const Cell& cell) const;
  std::size_t keep(const Cell& cell);

  std::uint32_t execution_ = 0;
  std::vector<Cell> cells_;  // of all executions
  // Cells that were found last, by a hash of their addresses.
  std::uint32_t recent_[256] = {};
  std::unordered_map<std::uint64_t, std::uint32_t> first_;
  std::vector<Link> links_;
  std::vector<Store> stores_;  // by the number of the step
  std::vector<char> bytes_;
  std::size_t used_ = 0;  // of bytes_, in this execution
  Now now_;
  LastAccess other_;
};

extern StoredBytes stored_bytes;

// Whether fences are events.
extern bool fences_are_events;

}  // namespace mazur::native
