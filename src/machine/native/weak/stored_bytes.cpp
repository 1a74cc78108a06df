#include "machine/native/weak/stored_bytes.h"

#include <sys/syscall.h>
#include <sys/uio.h>

#include <cstring>

#include "base/hash.h"
#include "machine/native/memory/raw.h"
#include "machine/native/races/race_detector.h"
#include "trace/fields.h"

namespace mazur::native {

StoredBytes stored_bytes;
bool fences_are_events = false;

namespace {

char* memory_of(ObjectId object) { return reinterpret_cast<char*>(object); }

// memcmp() and memcpy(), without a call for the usual sizes.
bool is_same(const char* a, const char* b, std::size_t size) {
  if (size == 4) return __builtin_memcmp(a, b, 4) == 0;
  if (size == 8) return __builtin_memcmp(a, b, 8) == 0;
  return std::memcmp(a, b, size) == 0;
}
void copy(char* to, const char* from, std::size_t size) {
  if (size == 4)
    __builtin_memcpy(to, from, 4);
  else if (size == 8)
    __builtin_memcpy(to, from, 8);
  else
    std::memcpy(to, from, size);
}

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
  used_ = 0;
  now_ = {};
}

std::size_t StoredBytes::keep(const Cell& cell) {
  const std::size_t at = used_;
  used_ += cell.size;
  if (used_ > bytes_.size()) bytes_.resize(2 * used_);
  copy(bytes_.data() + at, memory_of(cell.object), cell.size);
  return at;
}

// Whether something that is no event has written the cell since it was last accessed. The shadow
// tells if the value is the same: a plain write replaces the records of all accesses before it.
bool StoredBytes::is_overwritten(const Cell& cell) const {
  return !is_same(memory_of(cell.object), bytes_.data() + cell.newest_bytes, cell.size) ||
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

std::uint32_t StoredBytes::add(ObjectId object, std::uint32_t size) {
  const auto number = static_cast<std::uint32_t>(cells_.size());
  cells_.push_back({.object = object, .size = size});
  for (ObjectId granule = object / 8; granule * 8 < object + size; ++granule) {
    const auto [first, fresh] = first_.try_emplace(granule, kNone);
    for (std::uint32_t at = first->second; at != kNone; at = links_[at].next) {
      Cell& other = cells_[links_[at].cell];
      if (other.object < object + size && object < other.object + other.size)
        other.overlaps = cells_[number].overlaps = true;
    }
    links_.push_back({number, first->second});
    first->second = static_cast<std::uint32_t>(links_.size() - 1);
  }
  return number;
}

// The cell of these bytes. Others that overlap it end, if their bytes have been written anew.
StoredBytes::Trouble StoredBytes::find(ObjectId object, std::uint32_t size, std::uint32_t& cell) {
  std::uint32_t& recent = recent_[spread(object) >> 56];
  if (recent < cells_.size() && cells_[recent].object == object && cells_[recent].size == size &&
      !cells_[recent].overlaps) {
    cell = recent;
    return Trouble::kNone;
  }
  const Trouble trouble = search(object, size, cell);
  if (cell != kNone) recent = cell;
  return trouble;
}

StoredBytes::Trouble StoredBytes::search(ObjectId object, std::uint32_t size, std::uint32_t& cell) {
  cell = kNone;
  for (ObjectId granule = object / 8; granule * 8 < object + size; ++granule) {
    const auto first = first_.find(granule);
    if (first == first_.end()) continue;
    for (std::uint32_t at = first->second; at != kNone; at = links_[at].next) {
      Cell& c = cells_[links_[at].cell];
      if (c.object == object && c.size == size) {
        cell = links_[at].cell;
        continue;
      }
      if (c.stamp != execution_ || !c.alive || c.object >= object + size ||
          object >= c.object + c.size)
        continue;
      if (!is_overwritten(c)) {
        other_ = c.last;
        return Trouble::kDifferentSize;
      }
      c.alive = false;
    }
  }
  if (cell == kNone && is_readable(object, size)) cell = add(object, size);
  return Trouble::kNone;
}

StoredBytes::Trouble StoredBytes::begin_access(const Operation& op, StoreRef ref, StoreRef index,
                                               ThreadId thread, std::uint64_t pc) {
  // Of the flag of a one-time initialisation, compiled code looks at the first byte.
  const std::uint32_t size = is_once(op.kind) ? 1 : op.size;
  std::uint32_t number = kNone;
  if (const Trouble trouble = find(op.object, size, number); trouble != Trouble::kNone)
    return trouble;
  if (number == kNone) return Trouble::kNone;
  Cell& cell = cells_[number];
  char* const memory = memory_of(cell.object);
  if (cell.stamp != execution_ || !cell.alive ||
      !is_same(memory, bytes_.data() + cell.newest_bytes, cell.size))
    if (const Trouble trouble = begin_epoch(cell); trouble != Trouble::kNone) return trouble;
  cell.last = {thread, pc, size};
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
    if (ref >= stores_.size() || stores_[ref].stamp != execution_ || stores_[ref].cell != number ||
        stores_[ref].epoch != cell.epoch) {
      now_ = {};
      return Trouble::kNoSuchStore;
    }
    from = stores_[ref].bytes;
  }
  now_.source = ref;
  now_.swapped = ref != cell.newest;
  if (now_.swapped) copy(memory, bytes_.data() + from, cell.size);
  return Trouble::kNone;
}

bool StoredBytes::is_old(const char* byte) const {
  if (!now_.swapped) return false;
  const Cell& cell = cells_[now_.cell];
  const char* const begin = memory_of(cell.object);
  return byte >= begin && byte < begin + cell.size;
}

void StoredBytes::end_access(const Label& label) {
  Cell& cell = cells_[now_.cell];
  // An update of another store than the newest comes right after that one.
  const bool behind = label.kind == OpKind::kStore ? now_.ref == kBehind : now_.swapped;
  if (has_written(label)) {
    const std::size_t bytes = keep(cell);
    if (now_.index >= stores_.size()) stores_.resize(std::size_t{2} * now_.index + 1);
    stores_[now_.index] = {execution_, now_.cell, cell.epoch, bytes};
    if (!behind) {
      cell.newest = now_.index;
      cell.newest_bytes = bytes;
    }
  }
  if (behind) copy(memory_of(cell.object), bytes_.data() + cell.newest_bytes, cell.size);
}

}  // namespace mazur::native
