#include "check/weak_operations.h"

#include <algorithm>

#include "base/hash.h"

namespace mazur {
namespace {

constexpr std::size_t kMostSeen = 4096;
constexpr std::size_t kMostExamples = 16;

// At -O0 an atomic operation of C++ is a call, and its program counter is the same for all of a
// type: the object and the thread help to tell them apart.
std::uint64_t name_of(const Event& event) {
  return mixed(mixed(mixed(0, event.label.pc), event.label.object), event.thread) | 1;
}

}  // namespace

std::vector<EventIndex> weak_racing(const Trace& trace) {
  std::vector<EventIndex> found;
  for (EventIndex f = 0; f < trace.size(); ++f)
    for (EventIndex e : trace.races(f))
      for (EventIndex racing : {e, f})
        if (is_weak(trace[racing].label)) found.push_back(racing);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void WeakOperations::look_at_all(const Trace& trace, std::size_t keep, bool ordered) {
  looked_at_ = std::min(looked_at_, keep);
  if (ordered) {
    look_at(trace, looked_at_);
    looked_at_ = trace.size();
    return;
  }
  constexpr std::uint64_t kAllOf = 100'000;
  constexpr std::uint64_t kOneOf = 64;
  events_ += trace.size();
  if (ordered_ > kAllOf + events_ / kOneOf) return;
  ordered_ += trace.size();
  order_.clear();
  for (const Event& event : trace.events()) order_.append(event);
  look_at(order_, 0);
}

void WeakOperations::look_at(const Trace& trace, std::size_t from) {
  bool added = false;
  for (auto f = static_cast<EventIndex>(from); f < trace.size(); ++f)
    for (EventIndex e : trace.races(f))
      for (EventIndex racing : {e, f})
        if (is_weak(trace[racing].label)) added = note(trace[racing]) || added;
  if (!added || examples_.size() >= kMostExamples) return;
  std::vector<Step>& steps = examples_.emplace_back();
  for (const Event& event : trace.events()) steps.push_back(event.step());
}

// Whether it is new.
bool WeakOperations::note(const Event& event) {
  const std::uint64_t name = name_of(event);
  std::size_t mask = seen_.size() - 1;
  std::size_t at = (name >> 8) & mask;
  for (; seen_[at] != 0; at = (at + 1) & mask)
    if (seen_[at] == name) return false;
  if (count_ == kMostSeen) return false;
  seen_[at] = name;
  if (++count_ * 2 <= seen_.size()) return true;
  std::vector<std::uint64_t> old(seen_.size() * 2);
  old.swap(seen_);
  mask = seen_.size() - 1;
  for (const std::uint64_t each : old) {
    if (each == 0) continue;
    for (at = (each >> 8) & mask; seen_[at] != 0;) at = (at + 1) & mask;
    seen_[at] = each;
  }
  return true;
}

}  // namespace mazur
