#include "sequences.h"

#include "trace/dependence.h"

namespace mazur {

Sequence pre(const Trace& trace, EventIndex e) {
  return {trace.events().begin(), trace.events().begin() + e};
}

Sequence notdep(const Trace& trace, EventIndex e) {
  Sequence w;
  for (EventIndex i = e + 1; i < trace.size(); ++i)
    if (!trace.happens_before(e, i)) w.push_back(trace[i]);
  return w;
}

bool directly_ordered(const Sequence& w, std::size_t i, std::size_t j) {
  const Event& a = w[i];
  const Event& b = w[j];
  if (a.thread == b.thread) return true;
  if (a.label.kind == OpKind::kCreate && a.label.object == b.thread) return true;
  if (b.label.kind == OpKind::kJoin && b.label.object == a.thread) return true;
  return dependent(a, b);
}

std::size_t initial_at(const Sequence& w, ThreadId thread) {
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (w[i].thread != thread) continue;
    // The last step of any chain of dependences that ends in w[i] is a direct one.
    for (std::size_t j = 0; j < i; ++j)
      if (directly_ordered(w, j, i)) return w.size();
    return i;
  }
  return w.size();
}

std::vector<Step> initials(const Sequence& w) {
  std::vector<Step> found;
  for (std::size_t i = 0; i < w.size(); ++i)
    if (initial_at(w, w[i].thread) == i) found.push_back(w[i].step());
  return found;
}

bool independent(const Event& p, const Sequence& w) {
  for (const Event& e : w)
    if (e.thread == p.thread || dependent(e, p)) return false;
  return true;
}

bool is_weak_initial(const Event& p, const Sequence& w) {
  const std::size_t i = initial_at(w, p.thread);
  if (i != w.size()) return w[i].choice == p.choice;
  return independent(p, w);
}

bool consistent(std::span<const Event> v, Sequence w) {
  for (const Event& p : v) {
    const std::size_t i = initial_at(w, p.thread);
    if (i != w.size() && w[i].choice == p.choice)
      w.erase(w.begin() + static_cast<std::ptrdiff_t>(i));  // (2a)
    else if (!independent(p, w))                            // (2b)
      return false;
  }
  return true;
}

}  // namespace mazur
