#include "report/orders/gaps.h"

#include <algorithm>

#include "trace/fields.h"

namespace mazur {
namespace {

// Of each event whether it is an atomic operation on an object that several threads use and that is
// written.
std::vector<bool> communicating(const std::vector<Event>& events) {
  struct Use {
    ThreadId thread;  // the first one
    bool several = false, written = false;
  };
  std::map<ObjectId, Use> uses;
  for (const Event& event : events) {
    if (!is_memory(event.label.kind)) continue;
    Use& use = uses.try_emplace(event.label.object, Use{event.thread}).first->second;
    use.several = use.several || use.thread != event.thread;
    use.written = use.written || event.label.kind != OpKind::kLoad;
  }
  std::vector<bool> result;
  for (const Event& event : events) {
    const auto use = uses.find(event.label.object);
    result.push_back(is_memory(event.label.kind) && use->second.several && use->second.written);
  }
  return result;
}

}  // namespace

std::optional<Gap> gap_between(const std::vector<std::uint64_t>& first,
                               const std::vector<std::uint64_t>& second, const Places& places) {
  const std::vector<Frame> a = places.stack(first, false), b = places.stack(second, false);
  // From the outermost callers on.
  for (std::size_t depth = 1; depth <= std::min(a.size(), b.size()); ++depth) {
    const Frame &here = a[a.size() - depth], &there = b[b.size() - depth];
    if (!here.user || !there.user || here.function != there.function || here.file != there.file)
      return std::nullopt;
    if (here.line == there.line) continue;
    if (here.line == 0 || here.line > there.line) return std::nullopt;
    return Gap{here, there};
  }
  return std::nullopt;
}

Gaps::Gaps(const Finding& finding) : numbers_(finding.record.events.size(), kNone) {
  const Record& record = finding.record;
  const auto stack = [&](std::size_t i) {
    return i < record.event_stacks.size() && !record.event_stacks[i].empty()
               ? record.event_stacks[i]
               : std::vector<std::uint64_t>{record.events[i].label.pc};
  };
  struct Behind {
    std::size_t next = 0;  // the next event of the thread
    bool memory = false;   // it or a later one is such an operation
  };
  const std::vector<bool> matters = communicating(record.events);
  std::map<ThreadId, Behind> behind;
  std::vector<std::optional<Gap>> found(record.events.size());
  for (std::size_t i = record.events.size(); i-- > 0;) {
    const auto [at, last] = behind.try_emplace(record.events[i].thread);
    if (!last && matters[i] && at->second.memory)
      found[i] = gap_between(stack(i), stack(at->second.next), finding.places);
    at->second = {i, at->second.memory || matters[i]};
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i]) numbers_[i] = number_of(*found[i]);
}

std::uint32_t Gaps::number_of(const Gap& gap) {
  const auto [at, fresh] = known_.try_emplace({gap.after.file, gap.after.line, gap.before.line},
                                              static_cast<std::uint32_t>(gaps_.size()));
  if (fresh) gaps_.push_back(gap);
  return at->second;
}

}  // namespace mazur
