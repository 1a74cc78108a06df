#include "explore/context/dont_do.h"

#include <algorithm>

#include "trace/dependence.h"

namespace mazur {

// Whether s[at], which would come after q, can as well come before it, in the rest of s: they are
// independent, or stores that a later one hides from all that read (section 4.4).
bool DontDo::can_precede(const Sequence& s, std::size_t at, const Event& q) const {
  const Event& p = steps_[s[at]];
  if (!dependent_next(p, q)) return true;
  if (observation_.dependent_next(p, q)) return false;
  return all_uses(p.label, [&](const MemoryUse& x) {
    return all_uses(q.label, [&](const MemoryUse& y) {
      return !x.writes || !y.writes || !x.overlaps(y) ||
             is_hidden(s, at + 1, std::max(x.begin, y.begin), std::min(x.end, y.end));
    });
  });
}

// Whether s, from this place on, writes these bytes all at once before it reads any of them.
bool DontDo::is_hidden(const Sequence& s, std::size_t from, ObjectId begin, ObjectId end) const {
  for (std::size_t i = from; i < s.size(); ++i) {
    const Label& l = steps_[s[i]].label;
    if (is_unknown_block(l)) return false;
    const MemoryUse bytes{begin, end};
    if (any_use(l, [&](const MemoryUse& use) { return use.reads && use.overlaps(bytes); }))
      return false;
    if (any_use(l, [&](const MemoryUse& use) {
          return use.writes && use.begin <= begin && end <= use.end;
        }))
      return true;
  }
  return false;
}

void DontDo::push_after(const Event& p) {
  nodes_.emplace_back();
  const std::vector<Item>& before = nodes_[nodes_.size() - 2].set;
  std::vector<Item>& after = nodes_.back().set;
  for (const Item& item : before) {
    const Sequence& s = item.steps;
    const auto own =
        std::find_if(s.begin(), s.end(), [&](StepId q) { return steps_[q].thread == p.thread; });
    const auto at = static_cast<std::size_t>(own - s.begin());
    if (own == s.end()) {
      const bool independent =
          std::none_of(s.begin(), s.end(), [&](StepId q) { return dependent_next(p, steps_[q]); });
      if (independent) after.push_back(item);
      continue;
    }
    if (steps_[*own].step() != p.step() || s.size() == 1) continue;
    const bool first =
        std::all_of(s.begin(), own, [&](StepId q) { return can_precede(s, at, steps_[q]); });
    if (!first) continue;
    after.push_back(item);
    Sequence& rest = after.back().steps;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void DontDo::add(std::size_t depth, Sequence sequence, Swap swap) {
  Node& node = nodes_[depth];
  if (std::find(node.banned.begin(), node.banned.end(), swap) != node.banned.end()) return;
  const bool known = std::any_of(node.set.begin(), node.set.end(), [&](const Item& item) {
    return item.swap == swap && item.steps == sequence;
  });
  if (!known) node.set.push_back({std::move(sequence), swap});
}

void DontDo::ban(std::size_t depth, Swap swap) {
  Node& node = nodes_[depth];
  if (std::find(node.banned.begin(), node.banned.end(), swap) != node.banned.end()) return;
  node.banned.push_back(swap);
  std::erase_if(node.set, [&](const Item& item) { return item.swap == swap; });
}

bool DontDo::contains(std::size_t depth, Step step) const {
  const std::vector<Item>& set = nodes_[depth].set;
  return std::any_of(set.begin(), set.end(), [&](const Item& item) {
    return item.steps.size() == 1 && steps_[item.steps[0]].step() == step;
  });
}

}  // namespace mazur
