#include "explore/unfolding/event_structure.h"

#include <algorithm>

namespace mazur::unfolding {
namespace {

// Whether an access can be in conflict with others that are not in its history: a departure from a
// barrier and an untimed wake-up are not, beyond what the arrivals and the signal in their history
// are.
bool is_kept(const Access& access) {
  if (access.space == Space::kBarrier) return access.mode == mode::kArrive;
  return access.space != Space::kQueue || access.mode != mode::kWake;
}

bool same_accesses(const Node& a, const Node& b) {
  if (a.touches != b.touches || a.choice != b.choice) return false;
  for (std::size_t i = 0; i < a.touches; ++i)
    if (a.touch[i].object != b.touch[i].object || a.touch[i].mode != b.touch[i].mode) return false;
  return true;
}

}  // namespace

EventId EventStructure::add(const Action& action, FunctionRef<EventId(ObjectIndex)> last_total) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash(action) & mask;
  for (; table_[i] != kBottom; i = (i + 1) & mask)
    if (is(table_[i], action)) return table_[i];

  const auto e = static_cast<EventId>(nodes_.size());
  const EventId pt = action.program_predecessor;
  Node& node = nodes_.emplace_back();
  node.thread = action.thread;
  threads_ = std::max<ThreadId>(threads_, action.thread + 1);
  node.choice = action.choice;
  node.program_predecessor = pt;
  if (pt != kBottom && nodes_[pt].thread == action.thread) node.place = nodes_[pt].place + 1;
  node.causes_begin = static_cast<std::uint32_t>(causes_.size());
  node.causes = static_cast<std::uint16_t>(action.causes.size());
  causes_.insert(causes_.end(), action.causes.begin(), action.causes.end());
  set_clock(e, action);
  set_touches(e, *action.label, last_total);
  thread_depths_.add(nodes_[e].place);
  link(e);
  table_[i] = e;
  if (nodes_.size() * 2 > table_.size()) rehash(table_.size() * 2);
  return e;
}

void EventStructure::set_clock(EventId e, const Action& action) {
  if (action.thread >= stride_) {
    const std::size_t stride = std::max<std::size_t>({4, stride_ * 2, action.thread + 1u});
    std::vector<std::uint32_t> wider(nodes_.size() * stride);
    for (std::size_t k = 0; k < e; ++k)
      std::copy_n(clocks_.data() + k * stride_, stride_, wider.data() + k * stride);
    clocks_ = std::move(wider);
    stride_ = stride;
  } else {
    clocks_.resize(nodes_.size() * stride_);
  }
  std::uint32_t* clock = clocks_.data() + e * stride_;
  const auto join = [&](EventId c) {
    const std::uint32_t* other = clocks_.data() + c * stride_;
    for (std::size_t t = 0; t < stride_; ++t) clock[t] = std::max(clock[t], other[t]);
  };
  if (action.program_predecessor != kBottom) join(action.program_predecessor);
  for (EventId c : action.causes) join(c);
  clock[action.thread] = nodes_[e].place + 1;
}

void EventStructure::set_touches(EventId e, const Label& label,
                                 FunctionRef<EventId(ObjectIndex)> last_total) {
  // The configuration may have another event in the place of e.
  const auto happened = [&](EventId x) {
    const ThreadId thread = nodes_[x].thread;
    return nodes_[x].place < (thread == nodes_[e].thread ? nodes_[e].place : clock(e, thread));
  };
  for (const Access& a : accesses(label)) {
    if (!is_kept(a)) continue;
    Touch t;
    t.object = objects_.add(a);
    if (touch(e, t.object) != nullptr) continue;  // an await that compares one location twice
    t.mode = a.mode;
    if (a.space == Space::kBarrier) {
      t.phase = static_cast<std::uint32_t>(label.written);
      t.capacity = label.size;
    } else {
      t.parent = last_total(t.object);
      while (t.parent != kBottom && !happened(t.parent))
        t.parent = touch(t.parent, t.object)->parent;
      if (t.parent != kBottom) t.depth = touch(t.parent, t.object)->depth + 1;
    }
    object_depths_.add(t.depth);
    Node& node = nodes_[e];
    node.touch[node.touches++] = t;
  }
}

void EventStructure::link(EventId e) {
  Node& node = nodes_[e];
  const EventId pt = node.program_predecessor;
  if (pt == kBottom && node.thread >= thread_roots_.size()) {
    thread_roots_.resize(node.thread + 1u, kBottom);
    varied_roots_.resize(node.thread + 1u);
  }
  EventId& siblings = pt == kBottom ? thread_roots_[node.thread] : nodes_[pt].first_child;
  EventId other = siblings;
  while (other != kBottom && nodes_[other].thread != node.thread)
    other = nodes_[other].next_sibling;
  if (other != kBottom && !(same_accesses(nodes_[other], node))) {
    if (pt == kBottom)
      varied_roots_[node.thread] = true;
    else
      nodes_[pt].varied = true;
  }
  node.next_sibling = siblings;
  siblings = e;
  for (const Touch& t : node.touched()) relink(e, t.object);
}

std::size_t EventStructure::children_at(ObjectIndex object, EventId parent, ThreadId thread) const {
  std::uint64_t h = (std::uint64_t{parent} << 32 ^ object) * 0x9e3779b97f4a7c15;
  h = (h ^ h >> 32 ^ thread) * 0x9e3779b97f4a7c15;
  const std::size_t mask = children_.size() - 1;
  std::size_t i = (h ^ h >> 32) & mask;
  for (;; i = (i + 1) & mask) {
    const Children& c = children_[i];
    if (c.object == kNoObject) return i;
    if (c.object == object && c.parent == parent && c.thread == thread) return i;
  }
}

EventId& EventStructure::first_child(ObjectIndex object, EventId parent, ThreadId thread) {
  std::size_t i = children_at(object, parent, thread);
  if (children_[i].object == kNoObject) {
    if (++children_used_ * 2 > children_.size()) {
      std::vector<Children> old(children_.size() * 2);
      old.swap(children_);
      for (const Children& c : old)
        if (c.object != kNoObject) children_[children_at(c.object, c.parent, c.thread)] = c;
      i = children_at(object, parent, thread);
    }
    children_[i] = {parent, object, thread, kBottom};
    std::uint64_t* threads = nullptr;
    if (parent != kBottom) {
      threads = &mutable_touch(parent, object).child_threads;
    } else {
      if (object >= root_threads_.size()) root_threads_.resize(object + 1u);
      threads = &root_threads_[object];
    }
    *threads |= woken_bit(thread);
  }
  return children_[i].first;
}

void EventStructure::relink(EventId e, ObjectIndex object) {
  Touch& t = mutable_touch(e, object);
  EventId& first = first_child(object, t.parent, nodes_[e].thread);
  t.next_sibling = first;
  t.previous_sibling = kBottom;
  if (first != kBottom) mutable_touch(first, object).previous_sibling = e;
  first = e;
}

void EventStructure::unlink(EventId e, ObjectIndex object) {
  const Touch& t = mutable_touch(e, object);
  if (t.next_sibling != kBottom)
    mutable_touch(t.next_sibling, object).previous_sibling = t.previous_sibling;
  if (t.previous_sibling != kBottom)
    mutable_touch(t.previous_sibling, object).next_sibling = t.next_sibling;
  else
    first_child(object, t.parent, nodes_[e].thread) = t.next_sibling;
}

std::uint64_t EventStructure::hash(const Action& action) const {
  std::uint64_t h = std::uint64_t{action.thread} << 48 ^ std::uint64_t{action.choice} << 32 ^
                    action.program_predecessor;
  const auto mix = [&h] {
    h *= 0x9e3779b97f4a7c15;
    h ^= h >> 29;
  };
  mix();
  for (EventId c : action.causes) {
    h ^= c;
    mix();
  }
  return h ^ h >> 32;
}

std::uint64_t EventStructure::hash(EventId e) const {
  const Node& n = nodes_[e];
  return hash({n.thread, n.choice, n.program_predecessor, causes(e), nullptr});
}

bool EventStructure::is(EventId e, const Action& action) const {
  const Node& n = nodes_[e];
  return n.thread == action.thread && n.choice == action.choice &&
         n.program_predecessor == action.program_predecessor && n.causes == action.causes.size() &&
         std::equal(action.causes.begin(), action.causes.end(), causes(e).begin());
}

void EventStructure::rehash(std::size_t buckets) {
  table_.assign(buckets, kBottom);
  for (EventId e = 0; e < nodes_.size(); ++e) {
    std::size_t i = hash(e) & (buckets - 1);
    while (table_[i] != kBottom) i = (i + 1) & (buckets - 1);
    table_[i] = e;
  }
}

std::vector<EventId> EventStructure::retain(const std::vector<bool>& marked) {
  std::vector<EventId> renamed(nodes_.size(), kBottom);
  const auto rename = [&](EventId e) { return e == kBottom ? kBottom : renamed[e]; };
  std::fill(thread_roots_.begin(), thread_roots_.end(), kBottom);
  std::fill(root_threads_.begin(), root_threads_.end(), 0);
  std::fill(children_.begin(), children_.end(), Children{});
  children_used_ = 0;
  std::fill(varied_roots_.begin(), varied_roots_.end(), false);
  EventId kept = 0;
  std::uint32_t causes_end = 0;
  for (EventId e = 0; e < nodes_.size(); ++e) {
    if (!marked[e]) continue;
    renamed[e] = kept;
    Node& node = nodes_[kept] = nodes_[e];
    node.program_predecessor = rename(node.program_predecessor);
    node.first_child = node.next_sibling = kBottom;
    node.varied = false;
    for (std::uint32_t c = 0; c < node.causes; ++c)
      causes_[causes_end + c] = rename(causes_[node.causes_begin + c]);
    node.causes_begin = causes_end;
    causes_end += node.causes;
    for (std::size_t i = 0; i < node.touches; ++i) {
      node.touch[i].parent = rename(node.touch[i].parent);
      node.touch[i].next_sibling = kBottom;
      node.touch[i].child_threads = 0;
    }
    std::copy_n(clocks_.data() + e * stride_, stride_, clocks_.data() + kept * stride_);
    ++kept;
  }
  nodes_.resize(kept);
  causes_.resize(causes_end);
  clocks_.resize(kept * stride_);
  for (EventId e = 0; e < kept; ++e) link(e);
  rehash(table_.size());
  return renamed;
}

}  // namespace mazur::unfolding
