#include "explore/unfolding/structure/event_structure.h"

#include <algorithm>

#include "base/hash.h"
#include "trace/fields.h"

namespace mazur::unfolding {
namespace {

// Whether an access can be in conflict with others that are not in its history: a departure from a
// barrier and an untimed wake-up are not, beyond what the arrivals and the signal in their history
// are.
bool is_kept(const Access& access) {
  if (access.space == Space::kBarrier) return access.mode == mode::kArrive;
  return access.space != Space::kQueue || access.mode != mode::kWake;
}

// A mutex is released by its holder, so two releases are never next to each other.
bool is_total(const Access& access) {
  return access.mode == 0 || (access.space == Space::kMutex && access.mode == mode::kRelease);
}

}  // namespace

EventId EventStructure::add(const Action& action, FunctionRef<TouchIndex(ObjectIndex)> last_total) {
  const std::size_t mask = table_.size() - 1;
  const std::uint32_t hash_of_it = hash(action);
  for (std::size_t i = hash_of_it & mask; table_[i].event != kBottom; i = (i + 1) & mask)
    if (table_[i].hash == hash_of_it && is(table_[i].event, action)) return table_[i].event;

  const auto e = static_cast<EventId>(nodes_.size());
  const EventId pt = action.program_predecessor;
  Node& node = nodes_.emplace_back();
  node.thread = action.thread;
  node.choice = action.choice;
  node.program_predecessor = pt;
  if (pt != kBottom && nodes_[pt].thread == action.thread) node.place = nodes_[pt].place + 1;
  node.causes_begin = static_cast<std::uint32_t>(causes_.size());
  node.causes = static_cast<std::uint16_t>(action.causes.size());
  causes_.insert(causes_.end(), action.causes.begin(), action.causes.end());
  set_clock(e, action);
  set_touches(e, *action.label, last_total);
  thread_depths_.add(action.thread, nodes_[e].place);
  link(e);
  if (nodes_.size() * 4 > table_.size() * 3)
    rehash(table_.size() * 2);
  else
    put({hash_of_it, e});
  return e;
}

void EventStructure::set_clock(EventId e, const Action& action) {
  clocks_.resize(nodes_.size());
  if (action.program_predecessor != kBottom) clocks_.join(e, action.program_predecessor);
  for (EventId c : action.causes) clocks_.join(e, c);
  clocks_.set(e, action.thread, nodes_[e].place + 1);
}

void EventStructure::set_touches(EventId e, const Label& label,
                                 FunctionRef<TouchIndex(ObjectIndex)> last_total) {
  // The configuration may have another event in the place of e.
  const auto happened = [&](EventId x) {
    const ThreadId thread = nodes_[x].thread;
    return nodes_[x].place < (thread == nodes_[e].thread ? nodes_[e].place : clock(e, thread));
  };
  nodes_[e].touches_begin = static_cast<std::uint32_t>(touches_.size());
  const auto is_known = [&](ObjectIndex object) {
    const std::span<const Touch> known = touched(e);
    return std::any_of(known.begin(), known.end(),
                       [=](const Touch& t) { return t.object == object; });
  };
  for (const Access& a : accesses(label)) {
    if (!is_kept(a)) continue;
    Touch t;
    t.event = e;
    t.object = objects_.add(a);
    // An await may compare one location twice. A block has everything once.
    if (label.kind != OpKind::kAtomicBlock && is_known(t.object)) continue;
    t.mode = a.mode;
    t.total = is_total(a);
    t.arrives = a.space == Space::kBarrier;
    TouchIndex above = kNoTouch;
    if (t.arrives) {
      t.depth_or_phase = static_cast<std::uint32_t>(arrival_phase(label));
      t.children_or_capacity = capacity(label);
      note_arrival(t.object, {t.phase(), nodes_[e].thread, nodes_[e].place});
    } else {
      above = last_total(t.object);
      while (above != kNoTouch && !happened(touches_[above].event)) above = parent(above);
      if (above != kNoTouch) t.depth_or_phase = touches_[above].depth() + 1;
      t.children_or_capacity = kNoFamily;
    }
    t.family = family(t.object, above, nodes_[e].thread);
    object_depths_.add(t.object, t.depth());
    touches_.push_back(t);
    ++nodes_[e].touches;
  }
}

void EventStructure::note_arrival(ObjectIndex barrier, const ArrivalPlace& place) {
  if (barrier >= arrivals_.size()) arrivals_.resize(barrier + 1u);
  std::vector<ArrivalPlace>& known = arrivals_[barrier];
  const auto at = std::lower_bound(known.begin(), known.end(), place);
  if (at == known.end() || *at != place) known.insert(at, place);
}

std::span<const ArrivalPlace> EventStructure::arrivals(ObjectIndex barrier,
                                                       std::uint32_t phase) const {
  const std::vector<ArrivalPlace>& known = arrivals_[barrier];
  const auto before = [](const ArrivalPlace& a, std::uint32_t p) { return a.phase < p; };
  const auto begin = std::lower_bound(known.begin(), known.end(), phase, before);
  return {begin, std::lower_bound(begin, known.end(), phase + 1, before)};
}

bool EventStructure::same_touches(EventId a, EventId b) const {
  const std::span<const Touch> x = touched(a);
  const std::span<const Touch> y = touched(b);
  return nodes_[a].choice == nodes_[b].choice &&
         std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Touch& s, const Touch& t) {
           return s.object == t.object && s.mode == t.mode;
         });
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
  if (other != kBottom && !same_touches(other, e)) {
    if (pt == kBottom)
      varied_roots_[node.thread] = true;
    else
      nodes_[pt].varied = true;
  }
  node.next_sibling = siblings;
  siblings = e;
  relink(e);
}

// Where the children of `parent` that are of one thread are, or are to be.
std::uint32_t EventStructure::family(ObjectIndex object, TouchIndex parent, ThreadId thread) {
  if (object >= root_families_.size()) root_families_.resize(object + 1u, kNoFamily);
  std::uint32_t* at =
      parent != kNoTouch ? &touches_[parent].children_or_capacity : &root_families_[object];
  while (*at != kNoFamily && families_[*at].thread < thread) at = &families_[*at].next;
  if (*at != kNoFamily && families_[*at].thread == thread) return *at;
  const auto added = static_cast<std::uint32_t>(families_.size());
  const Family family{parent, kNoTouch, *at, thread};
  *at = added;
  families_.push_back(family);
  return added;
}

void EventStructure::relink(EventId e) {
  const Node& node = nodes_[e];
  for (TouchIndex i = node.touches_begin; i < node.touches_begin + node.touches; ++i) {
    Touch& t = touches_[i];
    TouchIndex& first = families_[t.family].first;
    t.next_sibling = first;
    t.previous_sibling = kNoTouch;
    if (first != kNoTouch) touches_[first].previous_sibling = i;
    first = i;
  }
}

void EventStructure::relink_after(EventId other, EventId e) {
  const TouchIndex before = nodes_[other].touches_begin;
  const TouchIndex i = nodes_[e].touches_begin;
  const TouchIndex next = touches_[before].next_sibling;
  touches_[i].next_sibling = next;
  touches_[i].previous_sibling = before;
  if (next != kNoTouch) touches_[next].previous_sibling = i;
  touches_[before].next_sibling = i;
}

void EventStructure::unlink(EventId e) {
  for (const Touch& t : touched(e)) {
    if (t.next_sibling != kNoTouch) touches_[t.next_sibling].previous_sibling = t.previous_sibling;
    if (t.previous_sibling != kNoTouch)
      touches_[t.previous_sibling].next_sibling = t.next_sibling;
    else
      families_[t.family].first = t.next_sibling;
  }
}

std::uint32_t EventStructure::hash(const Action& action) {
  std::uint64_t h = mixed(std::uint64_t{action.thread} << 48 ^ std::uint64_t{action.choice} << 32,
                          action.program_predecessor);
  for (EventId c : action.causes) h = mixed(h, c);
  return static_cast<std::uint32_t>(h ^ h >> 32);
}

std::uint32_t EventStructure::hash(EventId e) const {
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
  table_.assign(buckets, {});
  for (EventId e = 0; e < nodes_.size(); ++e) put({hash(e), e});
}

void EventStructure::put(Bucket bucket) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = bucket.hash & mask;
  while (table_[i].event != kBottom) i = (i + 1) & mask;
  table_[i] = bucket;
}

std::vector<EventId> EventStructure::retain(const std::vector<bool>& marked) {
  std::vector<EventId> renamed(nodes_.size(), kBottom);
  std::vector<TouchIndex> moved(touches_.size(), kNoTouch);
  const std::vector<Family> families = std::move(families_);
  families_.clear();
  std::fill(root_families_.begin(), root_families_.end(), kNoFamily);
  std::fill(thread_roots_.begin(), thread_roots_.end(), kBottom);
  std::fill(varied_roots_.begin(), varied_roots_.end(), false);
  const auto rename = [&](EventId e) { return e == kBottom ? kBottom : renamed[e]; };
  EventId kept = 0;
  std::uint32_t causes_end = 0;
  TouchIndex touches_end = 0;
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
    for (std::uint32_t i = 0; i < node.touches; ++i) {
      const TouchIndex from = node.touches_begin + i;
      const TouchIndex above = families[touches_[from].family].parent;
      Touch& t = touches_[touches_end + i] = touches_[from];
      moved[from] = touches_end + i;
      t.event = kept;
      if (!t.arrives) t.children_or_capacity = kNoFamily;
      t.family = family(t.object, above == kNoTouch ? kNoTouch : moved[above], node.thread);
    }
    node.touches_begin = touches_end;
    touches_end += node.touches;
    clocks_.copy(e, kept);
    ++kept;
  }
  nodes_.resize(kept);
  causes_.resize(causes_end);
  touches_.resize(touches_end);
  clocks_.resize(kept);
  for (EventId e = 0; e < kept; ++e) link(e);
  rehash(table_.size());
  return renamed;
}

}  // namespace mazur::unfolding
