#include "machine/native/weak/stored_bytes.h"

#include <sys/syscall.h>
#include <sys/uio.h>

#include <cstring>

#include "machine/native/memory/raw.h"
#include "machine/native/races/race_detector.h"
#include "trace/fields.h"

namespace mazur::native {

StoredBytes stored_bytes;
bool fences_are_events = false;

namespace {

// Tables and keys have names that are no addresses.
bool is_in_memory(const Operation& op) {
  constexpr ObjectId kLowest = 4096;
  constexpr ObjectId kHighest = ObjectId{1} << 47;
  return (is_memory(op.kind) || is_once(op.kind)) && op.object >= kLowest && op.object < kHighest;
}

char* memory_of(ObjectId object) { return reinterpret_cast<char*>(object); }

// A wild pointer is the program's error, and found when its thread follows it.
bool is_readable(ObjectId object, std::size_t size) {
  char copy[16];
  iovec into{copy, size < sizeof copy ? size : sizeof copy};
  iovec from{memory_of(object), into.iov_len};
  return raw_syscall(SYS_process_vm_readv, raw_syscall(SYS_getpid), reinterpret_cast<long>(&into),
                     1, reinterpret_cast<long>(&from), 1, 0) == static_cast<long>(into.iov_len);
}

bool has_written(const Label& label) {
  return label.kind == OpKind::kStore || label.kind == OpKind::kOnceLeave ||
         (label.kind != OpKind::kLoad && label.success);
}

}  // namespace

void StoredBytes::restart() {
  ++execution_;
  stores_.clear();
  bytes_.clear();
  now_ = {};
}

std::size_t StoredBytes::keep(const Cell& cell) {
  const std::size_t at = bytes_.size();
  bytes_.insert(bytes_.end(), memory_of(cell.object), memory_of(cell.object) + cell.size);
  return at;
}

// Whether something that is no event has written the cell since it was last accessed. The shadow
// tells if the value is the same: a plain write replaces the records of all accesses before it.
bool StoredBytes::is_overwritten(const Cell& cell) const {
  return std::memcmp(memory_of(cell.object), bytes_.data() + cell.newest_bytes, cell.size) != 0 ||
         (race_state.on && !shadow_has_atomic(cell.object, cell.size));
}

StoredBytes::Trouble StoredBytes::begin_epoch(Cell& cell) {
  if (cell.epoch_stamp != execution_) cell.epoch = 0;
  if (++cell.epoch == 0) return Trouble::kTooManyEpochs;
  cell.epoch_stamp = cell.stamp = execution_;
  cell.alive = true;
  cell.newest = kNoStore;
  cell.initial = cell.newest_bytes = keep(cell);
  return Trouble::kNone;
}

std::uint32_t StoredBytes::add(const Operation& op) {
  const auto number = static_cast<std::uint32_t>(cells_.size());
  cells_.push_back({.object = op.object, .size = op.size});
  for (ObjectId granule = op.object / 8; granule * 8 < op.object + op.size; ++granule) {
    const auto [first, fresh] = first_.try_emplace(granule, kNone);
    links_.push_back({number, first->second});
    first->second = static_cast<std::uint32_t>(links_.size() - 1);
  }
  return number;
}

// The cell of these bytes. Others that overlap it end, if their bytes have been written anew.
StoredBytes::Trouble StoredBytes::find(const Operation& op, std::uint32_t& cell) {
  cell = kNone;
  for (ObjectId granule = op.object / 8; granule * 8 < op.object + op.size; ++granule) {
    const auto first = first_.find(granule);
    if (first == first_.end()) continue;
    for (std::uint32_t at = first->second; at != kNone; at = links_[at].next) {
      Cell& c = cells_[links_[at].cell];
      if (c.object == op.object && c.size == op.size) {
        cell = links_[at].cell;
        continue;
      }
      if (c.stamp != execution_ || !c.alive || c.object >= op.object + op.size ||
          op.object >= c.object + c.size)
        continue;
      if (!is_overwritten(c)) {
        other_ = c.last;
        return Trouble::kDifferentSize;
      }
      c.alive = false;
    }
  }
  if (cell == kNone && is_readable(op.object, op.size)) cell = add(op);
  return Trouble::kNone;
}

StoredBytes::Trouble StoredBytes::begin(const Operation& operation, StoreRef ref, StoreRef index,
                                        ThreadId thread, std::uint64_t pc) {
  now_ = {};
  Operation op = operation;
  // Of the flag of a one-time initialisation, compiled code looks at the first byte.
  if (is_once(op.kind)) op.size = 1;
  if (!is_in_memory(op)) return ref == kNewest ? Trouble::kNone : Trouble::kNoSuchStore;
  std::uint32_t number = kNone;
  if (const Trouble trouble = find(op, number); trouble != Trouble::kNone) return trouble;
  if (number == kNone) return Trouble::kNone;
  Cell& cell = cells_[number];
  char* const memory = memory_of(cell.object);
  if (cell.stamp != execution_ || !cell.alive ||
      std::memcmp(memory, bytes_.data() + cell.newest_bytes, cell.size) != 0)
    if (const Trouble trouble = begin_epoch(cell); trouble != Trouble::kNone) return trouble;
  cell.last = {thread, pc, op.size};
  now_ = {.cell = number, .index = index, .ref = ref, .source = cell.newest};
  if (op.kind == OpKind::kStore) {
    if (ref == kNewest || ref == kBehind) return Trouble::kNone;
    now_ = {};
    return Trouble::kNoSuchStore;
  }
  if (ref == kNewest) return Trouble::kNone;
  if (is_once(op.kind)) {
    now_ = {};
    return Trouble::kNoSuchStore;
  }
  std::size_t from = cell.initial;
  if (ref != kNoStore) {
    if (ref >= stores_.size() || stores_[ref].cell != number || stores_[ref].epoch != cell.epoch) {
      now_ = {};
      return Trouble::kNoSuchStore;
    }
    from = stores_[ref].bytes;
  }
  now_.source = ref;
  now_.swapped = ref != cell.newest;
  if (now_.swapped) std::memcpy(memory, bytes_.data() + from, cell.size);
  return Trouble::kNone;
}

bool StoredBytes::is_old(const char* byte) const {
  if (!now_.swapped) return false;
  const Cell& cell = cells_[now_.cell];
  const char* const begin = memory_of(cell.object);
  return byte >= begin && byte < begin + cell.size;
}

void StoredBytes::end(const Label& label) {
  if (now_.cell == kNone) return;
  Cell& cell = cells_[now_.cell];
  // An update of another store than the newest comes right after that one.
  const bool behind = label.kind == OpKind::kStore ? now_.ref == kBehind : now_.swapped;
  if (has_written(label)) {
    const std::size_t bytes = keep(cell);
    stores_.resize(now_.index + std::size_t{1});
    stores_[now_.index] = {now_.cell, cell.epoch, bytes};
    if (!behind) {
      cell.newest = now_.index;
      cell.newest_bytes = bytes;
    }
  }
  if (behind) std::memcpy(memory_of(cell.object), bytes_.data() + cell.newest_bytes, cell.size);
}

}  // namespace mazur::native
