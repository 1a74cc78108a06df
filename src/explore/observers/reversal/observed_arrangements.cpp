// The orders of stores in v that only the block at its end sees.
#include <algorithm>

#include "explore/observers/reversal/observed_reversal.h"
#include "trace/atomic_block/block.h"

namespace mazur {

bool ObservedReversal::has_unordered_stores() const {
  if (is_plain_) return false;
  for (std::size_t k = 0; k + 1 < elements_.size(); ++k) {
    if (!observation_.writes_blindly(rest_[k].label)) continue;
    for (std::size_t i = k + 1; i + 1 < elements_.size(); ++i)
      if (!order_.happens_before(elements_[k].origin, elements_[i].origin) &&
          observation_.compete(rest_[k].label, rest_[i].label))
        return true;
  }
  return false;
}

ObservedReversal::Arrangement ObservedReversal::arrangement() const {
  Arrangement order;
  for (std::size_t i = 0; i + 1 < elements_.size(); ++i) order.push_back(elements_[i].origin);
  return order;
}

void ObservedReversal::rearrange(const Arrangement& order) {
  Event last = last_;
  forget_accesses(last.label);
  const EventIndex origin = elements_.back().origin;
  const EventIndex predecessor = last_predecessor_;
  Arrangement reversed;
  for (std::size_t k : reversed_)
    if (k + 1 < elements_.size()) reversed.push_back(elements_[k].origin);
  start(*trace_, first_);
  for (EventIndex i : order) {
    push(i);
    if (std::find(reversed.begin(), reversed.end(), i) != reversed.end())
      reversed_.push_back(elements_.size() - 1);
  }
  whole_ = true;
  add_last(last, origin, predecessor);
}

// Whether element k, which comes before another write of what is seen, can as well come after all
// of them. What happens after it moves with it.
bool ObservedReversal::may_move(const MemoryUse& seen, std::size_t k, Arrangement& order) const {
  const auto writes = [&](std::size_t i) {
    return any_use(rest_[i].label, [&](const MemoryUse& use) {
      return use.overlaps(seen) && observation_.blind(rest_[i].label, use);
    });
  };
  if (!writes(k)) return false;
  order.clear();
  Arrangement moved{elements_[k].origin};
  bool is_last = true;
  for (std::size_t i = 0; i + 1 < elements_.size(); ++i) {
    const EventIndex origin = elements_[i].origin;
    if (i == k) continue;
    if (i > k && order_.happens_before(elements_[k].origin, origin)) {
      if (writes(i)) return false;
      moved.push_back(origin);
      continue;
    }
    is_last = is_last && (i < k || !writes(i));
    order.push_back(origin);
  }
  order.insert(order.end(), moved.begin(), moved.end());
  return !is_last;
}

// Whether in this order the first store of an observed race is still the last one of the two, and
// of all that compete with both.
bool ObservedReversal::keeps_reversed(const Arrangement& order) const {
  if (reversed_.size() < 2) return true;
  const Label& f = rest_[reversed_[0]].label;
  const Label& e = rest_[reversed_[1]].label;
  for (std::size_t i = order.size(); i-- > 0;) {
    if (order[i] == elements_[reversed_[1]].origin) return true;
    const Label& l = (*trace_)[order[i]].label;
    if (observation_.compete(l, e) && observation_.compete(l, f)) return false;
  }
  return true;
}

// For each place that the block at the end reads: the last event in this order that writes it. With
// the same ones it sees the same, whatever the order of the others.
ObservedReversal::Arrangement ObservedReversal::last_writers(const Arrangement& order) const {
  Arrangement found;
  all_uses(last_.label, [&](const MemoryUse& seen) {
    const auto writes = [&](EventIndex i) {
      return any_use((*trace_)[i].label,
                     [&](const MemoryUse& use) { return use.writes && use.overlaps(seen); });
    };
    const auto last = std::find_if(order.rbegin(), order.rend(), writes);
    if (seen.reads) found.push_back(last == order.rend() ? kNoEvent : *last);
    return true;
  });
  return found;
}

void ObservedReversal::add_other_arrangements(std::vector<Arrangement>& orders) const {
  if (counting_) return;
  Arrangement order;
  all_uses(last_.label, [&](const MemoryUse& seen) {
    // Whom it observes in the place of the other one is settled.
    const auto is_reversed = [&](std::size_t k) {
      return any_use(rest_[k].label,
                     [&](const MemoryUse& use) { return use.writes && use.overlaps(seen); });
    };
    if (!seen.reads || std::any_of(reversed_.begin(), reversed_.end() - 1, is_reversed))
      return true;
    for (std::size_t k = 0; k + 1 < elements_.size(); ++k) {
      if (!may_move(seen, k, order) || !keeps_reversed(order)) continue;
      const Arrangement last = last_writers(order);
      const auto is_same = [&](const Arrangement& other) { return last_writers(other) == last; };
      if (std::none_of(orders.begin(), orders.end(), is_same)) orders.push_back(order);
    }
    return true;
  });
}

}  // namespace mazur
