#include "explore/context/reordering.h"

#include <algorithm>

#include "explore/context/single_access.h"
#include "trace/access.h"
#include "trace/atomic_block/block.h"
#include "trace/blocking/memory_value.h"
#include "trace/comparison.h"
#include "trace/dependence.h"

namespace mazur {
Reordering::Cell* Reordering::cell(const Label& l) {
  const auto same = [&](const Cell& c) { return c.object == l.object && c.size == l.size; };
  const auto found = std::find_if(cells_.begin(), cells_.end(), same);
  return found == cells_.end() ? nullptr : &*found;
}

// What single operations touch from here on, with the values it has here. False if something else
// touches it as well, or it in parts.
bool Reordering::find_cells(const Trace& trace, EventIndex from) {
  cells_.clear();
  for (EventIndex i = from; i < trace.size(); ++i) {
    const Label& l = trace[i].label;
    if (is_single_access(l) && cell(l) == nullptr)
      cells_.push_back({l.object, l.size, reads_memory(l) ? l.read : l.before});
  }
  const auto overlaps = [](const Cell& c, ObjectId begin, ObjectId end) {
    return c.object < end && begin < c.object + c.size;
  };
  for (std::size_t i = 0; i < cells_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (overlaps(cells_[i], cells_[j].object, cells_[j].object + cells_[j].size)) return false;
  for (EventIndex i = from; i < trace.size(); ++i) {
    const Label& l = trace[i].label;
    // A free changes no value, and keeps its order with all accesses: it commutes with none.
    if (is_single_access(l) || l.kind == OpKind::kFree) continue;
    if (is_unknown_block(l)) return false;
    for (const Access& a : accesses(l))
      for (const Cell& c : cells_)
        if (a.space == Space::kMemory && overlaps(c, a.object, a.object + a.size)) return false;
  }
  return true;
}

bool Reordering::run(const Label& l) {
  if (!is_single_access(l)) return true;
  Cell& c = *cell(l);
  if (is_observed_assertion(l)) return holds(l, c.value) == l.success;
  if (reads_memory(l) && truncated(c.value, l.size) != truncated(l.read, l.size)) return false;
  if (writes_memory(l)) c.value = l.written;
  return true;
}

bool Reordering::same_results(const Trace& trace, EventIndex x, std::span<const EventIndex> rest,
                              Event& y) {
  if (!is_single_access(y.label) || !find_cells(trace, x)) return false;
  for (EventIndex i : rest)
    if (!run(trace[i].label)) return false;
  const auto found = truncated(cell(y.label)->value, y.label.size);
  if (y.label.kind == OpKind::kCas)
    y.label.success = found == truncated(expected(y.label), y.label.size);
  auto next = rest.begin();
  for (EventIndex i = x; i < trace.size(); ++i) {
    if (next != rest.end() && *next == i)
      ++next;
    else if (!run(trace[i].label))
      return false;
  }
  return true;
}

}  // namespace mazur
