#include "report/findings/relevant.h"

#include <algorithm>

#include "report/findings/finding.h"
#include "trace/access.h"
#include "trace/atomic_block/block.h"
#include "trace/dependence.h"
#include "trace/lock_change.h"
#include "trace/trace.h"

namespace mazur {
namespace {

// Of several threads, steps before the last so many are taken to matter: a report does not show them
// anyway.
constexpr std::size_t kLookedAt = 2000;

class Relevance {
 public:
  explicit Relevance(const Record& record) : record_(record) {
    for (const Event& event : record.events) trace_.append(event);
    const auto size = static_cast<EventIndex>(trace_.size());
    if (size == 0) return;
    roots_.push_back(size - 1);
    add_last_of(record.other.thread);
    if (is_standstill(record))
      for (const ThreadState& thread : record.threads)
        if (!thread.ended) add_last_of(thread.thread);
    while (first_other_ < size && record.events[first_other_].label.kind != OpKind::kCreate &&
           record.events[first_other_].thread == record.events[0].thread)
      ++first_other_;
    past_.resize(size);
    for (EventIndex e = 0; e < size; ++e) past_[e] = in_past(e);
  }

  bool matters(EventIndex e) const {
    const Event& event = record_.events[e];
    if (e + 1 == trace_.size()) return true;
    if (offers_spurious(event.label)) return event.choice != 0;
    if (event.ways > 1) return true;
    if (!past_[e] || e < first_other_) return false;
    if (event.label.kind == OpKind::kCreate || event.label.kind == OpKind::kJoin) return true;
    for (std::size_t f = first(); f < trace_.size(); ++f)
      if (past_[f] && record_.events[f].thread != event.thread &&
          dependent(event, record_.events[f]))
        return true;
    if (is_standstill(record_))
      for (const ThreadState& thread : record_.threads)
        if (!thread.ended && thread.thread != event.thread && may_depend(event.label, thread.op))
          return true;
    return false;
  }

  // Whether it takes long to say, and is not asked.
  bool is_far_back(EventIndex e) const { return e < first() && e >= first_other_; }

 private:
  std::size_t first() const { return trace_.size() > kLookedAt ? trace_.size() - kLookedAt : 0; }
  void add_last_of(ThreadId thread) {
    if (thread == kNoThread) return;
    if (const EventIndex last = trace_.last_of(thread); last != kNoEvent) roots_.push_back(last);
  }
  bool in_past(EventIndex e) const {
    return std::any_of(roots_.begin(), roots_.end(),
                       [&](EventIndex root) { return trace_.happens_before(e, root); });
  }

  const Record& record_;
  Trace trace_;
  std::vector<EventIndex> roots_;
  std::vector<bool> past_;
  EventIndex first_other_ = 0;  // where a second thread comes in
};

// Whether the order of the events can be found with some patience. A file can name any threads and
// any ranges of memory.
bool is_tractable(const Record& record) {
  constexpr std::size_t kMostClockEntries = 32u << 20;
  constexpr std::uint64_t kMostBytes = 256u << 20;
  std::size_t threads = 0;
  std::uint64_t bytes = 0;
  for (const Event& event : record.events) {
    const Label& label = event.label;
    threads = std::max(threads, std::size_t{event.thread} + 1);
    if (label.kind == OpKind::kCreate || label.kind == OpKind::kJoin)
      threads = std::max<std::size_t>(threads, label.object + 1);
    if (is_unknown_block(label)) continue;
    for (const Access& access : accesses(label)) {
      if (access.object + access.size <= access.object) return false;
      bytes += access.size;
    }
    if (bytes > kMostBytes) return false;
  }
  return threads * record.events.size() <= kMostClockEntries;
}

}  // namespace

std::vector<bool> steps_that_matter(const Record& record) {
  std::vector<bool> matters(record.events.size(), true);
  if (!is_tractable(record)) return matters;
  const Relevance relevance(record);
  for (std::size_t e = 0; e < matters.size(); ++e)
    matters[e] = relevance.is_far_back(static_cast<EventIndex>(e)) ||
                 relevance.matters(static_cast<EventIndex>(e));
  return matters;
}

std::map<ThreadId, std::vector<ObjectId>> held_at_end(const Record& record) {
  std::map<ThreadId, std::vector<ObjectId>> held;
  for (const Event& event : record.events) {
    std::vector<ObjectId>& locks = held[event.thread];
    const LockChange change = lock_change(event.label);
    if (change.kind == LockChange::kTaken) locks.push_back(change.lock);
    if (change.kind == LockChange::kReleased) {
      const auto at = std::find(locks.rbegin(), locks.rend(), change.lock);
      if (at != locks.rend()) locks.erase(std::next(at).base());
    }
  }
  return held;
}

}  // namespace mazur
