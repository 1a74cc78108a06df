#include "trace/blocking/look.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "base/hash.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

struct Entry {
  std::uint64_t state;  // 0: none
  std::uint64_t count;
  std::array<std::uint64_t, 12> values;  // in vain
  std::array<Look, 12> what;
};
constexpr std::size_t kEntries = 1 << 12;
constinit Entry table[kEntries] = {};  // zeros, and no page of it is touched at the start

// What the location of a look held before and after a write. The labels tell if all of it was written.
struct Change {
  bool known = false;
  std::uint64_t before = 0, after = 0;
};
Change change(const Label& write, const Operation& look) {
  const bool is_whole = is_memory(write.kind) && write.size <= 8 && write.object == look.object &&
                        write.size == look.size;
  return is_whole ? Change{true, write.before, write.written} : Change{};
}

}  // namespace

std::uint64_t name_look(std::uint64_t state) {
  if (state == 0) return 0;
  constexpr std::size_t kMostTries = 64;
  for (std::size_t tries = 0, i = state % kEntries; tries < kMostTries; ++tries) {
    if (table[i].state == 0) table[i].state = state;
    if (table[i].state == state) return i + 1;
    i = (i + 1) % kEntries;
  }
  return 0;
}

Look known_look(std::uint64_t name, std::uint64_t value) {
  const Entry& entry = table[name - 1];
  for (std::size_t i = 0; i < entry.count; ++i)
    if (entry.values[i] == value) return entry.what[i];
  return Look::kUnknown;
}

void note_look(std::uint64_t name, std::uint64_t value, Look what) {
  Entry& entry = table[name - 1];
  if (entry.count == entry.values.size() || is_known_in_vain(name, value)) return;
  entry.values[entry.count] = value;
  entry.what[entry.count++] = what;
}

void forget_looks() { std::fill(std::begin(table), std::end(table), Entry{}); }

bool look_holds_without(const Trace& trace, EventIndex e, EventIndex look) {
  const Label& l = trace[look].label;
  const Change c = change(trace[e].label, l);
  return !c.known || !is_known_in_vain(l.value, c.before);
}

void look_races(const Trace& trace, const Waiting& w, Disabled found) {
  Event step{.thread = w.thread, .choice = 0, .ways = 1, .label = {}};
  static_cast<Operation&>(step.label) = w.op;
  const HappensBefore before{trace, w.clocks != nullptr ? w.clocks : trace.clocks()};
  std::vector<EventIndex> writes;
  trace.history().conflicts_after(step.label, kNoEvent, [&](EventIndex x) {
    if (x < w.end) writes.push_back(x);
    return true;
  });
  std::sort(writes.begin(), writes.end(), std::greater<>());
  writes.erase(std::unique(writes.begin(), writes.end()), writes.end());
  for (const EventIndex e : writes) {
    // Whatever comes before this happens before p stands at its look.
    if (trace.thread(e) == w.thread ||
        (w.program_predecessor != kNoEvent && before(e, w.program_predecessor)))
      return;
    const Change c = change(trace[e].label, w.op);
    const bool disables =
        c.known && !is_known_in_vain(w.op.value, c.before) && is_known_in_vain(w.op.value, c.after);
    if (disables || !c.known) found({&e, 1}, step);
    if (disables) return;
  }
}

}  // namespace mazur
