#include "machine/native/races/shadow.h"

#include <sys/mman.h>

#include "machine/native/memory/early_blocks.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {

ShadowEvents shadow_events;

namespace {

struct Node {
  Record64 record;
  std::uint32_t pc;
  std::uint32_t next;
};

constexpr std::size_t kNodes = std::size_t{1} << 30;  // reserved, not committed

std::uint32_t stamp = 0;
Node* nodes = nullptr;
std::uint32_t next_node = 1;
std::uint32_t free_node = 0;

std::uint32_t new_node(Record64 record, std::uint32_t pc, std::uint32_t next) {
  std::uint32_t at = free_node;
  if (at != 0) {
    free_node = nodes[at].next;
  } else {
    at = next_node++;
    if (at == kNodes) die("one execution has more than 2^30 concurrent accesses to tell apart");
  }
  nodes[at] = {record, pc, next};
  return at;
}

constexpr Record64 bytes_field(unsigned bytes) { return Record64{bytes} << 8; }

// Which of a granule's bytes an access touches.
unsigned bytes_in(std::uintptr_t granule, std::uintptr_t begin, std::uintptr_t end) {
  const std::uintptr_t from = begin > granule ? begin - granule : 0;
  const std::uintptr_t to = end < granule + 8 ? end - granule : 8;
  return ((1u << to) - 1) & ~((1u << from) - 1);
}

bool conflict(unsigned a, unsigned b) {
  return ((a | b) & kWrite) != 0 && ((a & b) & kAtomic) == 0;
}

// Whether a later access that would race with `old` would race with the new access as well, so that
// `old` need not be kept. `before`: it happened before, or is of the same thread.
bool covers(unsigned kind, unsigned old, bool before) {
  if (kind == kWrite) return true;  // rule 1
  if (!before) return false;
  if (kind == kRead) return (old & kWrite) == 0;                            // rule 2
  return (old & kAtomic) != 0 && ((old & kWrite) == 0 || (kind & kWrite));  // rule 3
}

// One access to one cell that has records already.
class Visit {
 public:
  Visit(Cell& cell, Record64 own, const Access& access)
      : cell_(cell), own_(own), access_(access), bytes_(bytes_of(own)) {}

  void look(std::uintptr_t granule) {
    look_at(granule, cell_.record[0], cell_.pc[0]);
    if (__builtin_expect(has_one(), 1)) return;
    look_at(granule, cell_.record[1], cell_.pc[1]);
    for (std::uint32_t at = cell_.more; at != 0;) {
      const Node node = nodes[at];
      look_at(granule, node.record, node.pc);
      at = node.next;
    }
  }

  void note(std::uint32_t pc) {
    const bool has_one = this->has_one();
    cell_.record[0] = without_covered(cell_.record[0]);
    if (__builtin_expect(!has_one, 0)) note_in_others();
    if (merged_) return;
    if (cell_.record[0] != 0) {
      if (cell_.record[1] != 0) cell_.more = new_node(cell_.record[1], cell_.pc[1], cell_.more);
      cell_.record[1] = cell_.record[0];
      cell_.pc[1] = cell_.pc[0];
    }
    cell_.record[0] = own_;
    cell_.pc[0] = pc;
  }

 private:
  // Most cells have no more than one record.
  bool has_one() const { return (cell_.record[1] | cell_.more) == 0; }

  void note_in_others() {
    cell_.record[1] = without_covered(cell_.record[1]);
    for (std::uint32_t* link = &cell_.more; *link != 0;) {
      Node& node = nodes[*link];
      node.record = without_covered(node.record);
      if (node.record != 0) {
        link = &node.next;
        continue;
      }
      const std::uint32_t gone = *link;
      *link = node.next;
      nodes[gone].next = free_node;
      free_node = gone;
    }
  }

  bool before(Record64 record) const {
    return ordered(thread_of_record(own_), thread_of_record(record), clock_of(record));
  }

  void look_at(std::uintptr_t granule, Record64 record, std::uint32_t pc) const {
    if ((bytes_of(record) & bytes_) == 0) return;
    if ((kind_of(record) & kMarks) != 0) {
      shadow_events.marked(access_, granule, record, pc);
      return;
    }
    if (conflict(kind_of(record), kind_of(own_)) && !before(record))
      shadow_events.race(access_, granule, record, pc);
  }

  Record64 without_covered(Record64 record) {
    if (record == 0 || (kind_of(record) & kMarks) != 0) return record;
    // The same access to other bytes: one record for all of them.
    if (((record ^ own_) & ~bytes_field(0xff)) == 0 && !merged_) {
      merged_ = true;
      return record | own_;
    }
    if ((bytes_of(record) & bytes_) == 0) return record;
    if (!covers(kind_of(own_), kind_of(record), before(record))) return record;
    record &= ~bytes_field(bytes_);
    return bytes_of(record) == 0 ? 0 : record;
  }

  Cell& cell_;
  const Record64 own_;
  const Access& access_;
  const unsigned bytes_;
  bool merged_ = false;
};

}  // namespace

void set_up_shadow() {
  constexpr std::size_t kSize = kShadowed << 2;
  map_pages(reinterpret_cast<void*>(kShadow), kSize);
  raw_syscall(SYS_madvise, static_cast<long>(kShadow), static_cast<long>(kSize), MADV_DONTDUMP);
  nodes = static_cast<Node*>(map_pages(nullptr, kNodes * sizeof(Node)));
}

void reset_shadow(std::uint32_t number) {
  stamp = number;
  next_node = 1;
  free_node = 0;
}

[[gnu::hot]] bool shadow_quickly(Record64 own, std::uintptr_t address, std::uint32_t pc) {
  Cell& cell = cell_of(address);
  if (cell.stamp != stamp) {
    if (__builtin_expect(in_early_heap(address), 0)) return false;
    cell = {stamp, 0, {own, 0}, {pc, 0}};
    return true;
  }
  constexpr Record64 kAllBytes = bytes_field(0xff);
  const Record64 first = cell.record[0], second = cell.record[1];
  const Clock* const now = thread_clocks[thread_of_record(own)].now;
  // No list, no marks, all of it before, and nothing that would be one record with this.
  if (cell.more != 0 || ((first | second) & kMarks) != 0 ||
      now[thread_of_record(first)] < clock_of(first) ||
      now[thread_of_record(second)] < clock_of(second) || ((first ^ own) & ~kAllBytes) == 0 ||
      ((second ^ own) & ~kAllBytes) == 0)
    return false;
  const Record64 bytes = own & kAllBytes;
  const unsigned kind = kind_of(own);
  const Record64 left = covers(kind, kind_of(first), true) ? first & ~bytes : first;
  const Record64 left_too = covers(kind, kind_of(second), true) ? second & ~bytes : second;
  if ((left_too & kAllBytes) == 0) {
    cell.record[1] = (left & kAllBytes) != 0 ? left : 0;
    cell.pc[1] = cell.pc[0];
  } else if ((left & kAllBytes) == 0) {
    cell.record[1] = left_too;
  } else {
    return false;  // no room for three
  }
  cell.record[0] = own;
  cell.pc[0] = pc;
  return true;
}

[[gnu::hot]] void shadow_access(Record64 me, const Access& access) {
  const std::uintptr_t end = access.address + access.size;
  const auto pc = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(access.pc));
  for (std::uintptr_t granule = access.address & ~std::uintptr_t{7}; granule < end; granule += 8) {
    const Record64 own =
        me | bytes_field(bytes_in(granule, access.address, end)) | (access.kind & ~kMarks);
    if (__builtin_expect(shadow_quickly(own, granule, pc), 1)) continue;
    Cell& cell = cell_of(granule);
    if (cell.stamp != stamp) {
      const unsigned outside = outside_early_blocks(granule);
      if (outside == 0) {
        cell = {stamp, 0, {own, 0}, {pc, 0}};
        continue;
      }
      cell = {stamp, 0, {kNobody | bytes_field(outside) | kRedzone, 0}, {0, 0}};
    }
    // The same again, as in a loop: it is noted already, and nothing has come between.
    if (cell.record[0] == own && cell.record[1] == 0 && cell.more == 0) continue;
    Visit visit(cell, own, access);
    visit.look(granule);
    visit.note(pc);
  }
}

void shadow_mark(std::uintptr_t address, std::size_t size, Record64 me, unsigned mark,
                 std::uint32_t pc) {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < end; granule += 8) {
    const unsigned bytes = bytes_in(granule, address, end);
    const Record64 own = me | bytes_field(bytes) | mark;
    Cell& cell = cell_of(granule);
    if (cell.stamp != stamp || bytes == 0xff) {
      cell = {stamp, 0, {own, 0}, {pc, 0}};
      continue;
    }
    // A granule that a block ends in: the mark joins what is there.
    if (cell.record[1] != 0) cell.more = new_node(cell.record[1], cell.pc[1], cell.more);
    cell.record[1] = cell.record[0];
    cell.pc[1] = cell.pc[0];
    cell.record[0] = own;
    cell.pc[0] = pc;
  }
}

void shadow_forget(std::uintptr_t address, std::size_t size) {
  for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < address + size;
       granule += 8)
    cell_of(granule).stamp = 0;
}

bool shadow_has_atomic(std::uintptr_t address, std::size_t size) {
  const std::uintptr_t end = address + size;
  for (std::uintptr_t granule = address & ~std::uintptr_t{7}; granule < end; granule += 8) {
    const Cell& cell = cell_of(granule);
    if (cell.stamp != stamp) continue;
    const unsigned bytes = bytes_in(granule, address, end);
    const auto found = [bytes](Record64 record) {
      return (bytes_of(record) & bytes) != 0 && (kind_of(record) & kAtomic) != 0;
    };
    if (found(cell.record[0]) || found(cell.record[1])) return true;
    for (std::uint32_t at = cell.more; at != 0; at = nodes[at].next)
      if (found(nodes[at].record)) return true;
  }
  return false;
}

Record64 shadow_mark_at(std::uintptr_t address, std::uint32_t& pc) {
  const Cell& cell = cell_of(address);
  if (cell.stamp != stamp) return 0;
  const unsigned byte = 1u << (address & 7);
  const auto found = [&](Record64 record, std::uint32_t where) {
    if ((bytes_of(record) & byte) == 0 || (kind_of(record) & kMarks) == 0) return false;
    pc = where;
    return true;
  };
  if (found(cell.record[0], cell.pc[0])) return cell.record[0];
  if (found(cell.record[1], cell.pc[1])) return cell.record[1];
  for (std::uint32_t at = cell.more; at != 0; at = nodes[at].next)
    if (found(nodes[at].record, nodes[at].pc)) return nodes[at].record;
  return 0;
}

}  // namespace mazur::native
