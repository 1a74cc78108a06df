// U: the part of the program's unfolding (a prime event structure) that is known so far.
//
// An event is named by its action and its history (Quasi-Optimal POR, Def. 1): the thread, which
// outcome its operation had, and the events it directly happens after. What the operation was
// follows from the history. Adding an event that is known gives the same id again.
//
// Every event is a node in trees (section 5.1): in its thread's, where the parent is the event
// before it in program order, and in that of every object it touches. The paper's lock trees hold
// only events that are ordered or in conflict. Here an object has accesses that commute, too (two
// reads): only accesses that are ordered or in conflict with all others, call them total, are inner
// nodes, and the parent of an access is the last total one in its history. These are those of mode
// 0 (access.h), and the releases of a mutex. Others are leaves; two leaves with one parent are
// ordered, in conflict or neither.
//
// Ids are in causal order: an event has a larger id than all events in its history.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "base/function_ref.h"
#include "explore/unfolding/structure/clocks.h"
#include "explore/unfolding/structure/histogram.h"
#include "explore/unfolding/structure/objects.h"
#include "trace/label.h"

namespace mazur::unfolding {

using EventId = std::uint32_t;
inline constexpr EventId kBottom = 0xffffffff;  // before every event; no event

// An event as a node in the tree of an object. An event has one for every object that it touches:
// mostly one, an atomic block as many as it has accesses.
using TouchIndex = std::uint32_t;
inline constexpr TouchIndex kNoTouch = 0xffffffff;

struct Touch {
  EventId event = kBottom;
  ObjectIndex object = 0;
  std::uint32_t family = 0;  // the list of children that it is in
  TouchIndex next_sibling = kNoTouch;
  TouchIndex previous_sibling = kNoTouch;
  // An arrival at a barrier is a root and has no children.
  std::uint32_t depth_or_phase = 0;
  std::uint32_t children_or_capacity = 0;
  Mode mode = 0;
  bool total = false;
  bool arrives = false;  // at a barrier

  // In the object's tree.
  std::uint32_t depth() const { return arrives ? 0 : depth_or_phase; }
  // The first of the lists that its own children are in.
  std::uint32_t children() const { return children_or_capacity; }
  // For an arrival: the phase that it is in, and how many arrivals fill a phase.
  std::uint32_t phase() const { return depth_or_phase; }
  std::uint32_t capacity() const { return children_or_capacity; }
};

struct Node {
  ThreadId thread = kNoThread;
  std::uint16_t choice = 0;
  std::uint32_t place = 0;  // in its thread, from 0
  // pt(e): the event before it in its thread, or the creation of the thread, or kBottom.
  EventId program_predecessor = kBottom;
  EventId first_child = kBottom;  // of the thread trees: events whose pt this is
  EventId next_sibling = kBottom;
  std::uint32_t causes_begin = 0;
  std::uint32_t touches_begin = 0;
  std::uint32_t touches = 0;
  std::uint16_t causes = 0;
  bool varied = false;  // not all children in the thread trees touch the same in the same way
};

// Where in a thread an arrival at a barrier is.
struct ArrivalPlace {
  std::uint32_t phase = 0;
  ThreadId thread = kNoThread;
  std::uint32_t place = 0;
  friend auto operator<=>(const ArrivalPlace&, const ArrivalPlace&) = default;
};

// What an event is to be: its name, and its label for what it touches.
struct Action {
  ThreadId thread = kNoThread;
  std::uint16_t choice = 0;
  EventId program_predecessor = kBottom;
  // The maximal events of the history besides the program predecessor and what happens before it;
  // sorted.
  std::span<const EventId> causes;
  const Label* label = nullptr;
};

// How deep the events that were ever added are in their trees, and how deep each tree is (section
// 6.2). There is a tree per thread, or per object.
struct TreeDepths {
  Histogram nodes;
  std::vector<std::uint32_t> deepest;  // by tree
  void add(std::size_t tree, std::uint32_t depth) {
    nodes.add(depth);
    if (tree >= deepest.size()) deepest.resize(tree + 1);
    if (depth > deepest[tree]) deepest[tree] = depth;
  }
  Histogram trees() const {
    Histogram all;
    for (std::uint32_t depth : deepest) all.add(depth);
    return all;
  }
};

class EventStructure {
 public:
  EventStructure() { rehash(256); }

  // The event with this name, new or known. last_total(object) is the last total touch of it in
  // some configuration that includes the history, or kNoTouch.
  EventId add(const Action& action, FunctionRef<TouchIndex(ObjectIndex)> last_total);

  std::size_t size() const { return nodes_.size(); }
  const Node& operator[](EventId e) const { return nodes_[e]; }
  // Besides the program predecessor.
  std::span<const EventId> causes(EventId e) const {
    return {causes_.data() + nodes_[e].causes_begin, nodes_[e].causes};
  }
  // tmax(e, thread), as the number of the thread's events in the history of e, e included.
  std::uint32_t clock(EventId e, ThreadId thread) const { return clocks_.at(e, thread); }

  // What an event touches. Touches have numbers: those of one event follow each other.
  std::span<const Touch> touched(EventId e) const {
    return {touches_.data() + nodes_[e].touches_begin, nodes_[e].touches};
  }
  const Touch& touch(TouchIndex t) const { return touches_[t]; }
  TouchIndex parent(TouchIndex t) const { return families_[touches_[t].family].parent; }
  std::size_t touches() const { return touches_.size(); }

  // The next events of a thread after its event (or creation) pt, until visit returns false.
  // Returns whether it never did.
  template <typename Visit>
  bool for_each_next(ThreadId thread, EventId pt, Visit&& visit) const;
  // False: the next events after pt, by thread, all touch the same in the same way and have the
  // same choice.
  bool varied(ThreadId thread, EventId pt) const {
    return pt != kBottom ? nodes_[pt].varied : varied_roots_[thread];
  }
  // The same for the children of a node in an object's tree, without those of one thread; of
  // kNoTouch: the roots. visit is given their touches.
  template <typename Visit>
  bool for_each_child(ObjectIndex object, TouchIndex parent, ThreadId but, Visit&& visit) const;

  // The places of all arrivals in a phase that have ever been added: few, however many the
  // arrivals.
  std::span<const ArrivalPlace> arrivals(ObjectIndex barrier, std::uint32_t phase) const;

  // Takes e out of the lists of its parents' children in the trees of objects, and puts it back.
  // While it is out, its link to the next sibling stays.
  void unlink(EventId e);
  void relink(EventId e);
  // Puts e back behind another event. Both touch one object only, and were in one list.
  void relink_after(EventId other, EventId e);

  const TreeDepths& thread_depths() const { return thread_depths_; }
  const TreeDepths& object_depths() const { return object_depths_; }

  Objects& objects() { return objects_; }
  const Objects& objects() const { return objects_; }

  // Forgets all events but those marked, whose histories must be marked. Returns the new id of
  // each.
  std::vector<EventId> retain(const std::vector<bool>& marked);

 private:
  // The children of a node that are of one thread. They have a list of their own, as there are
  // threads with thousands of children under one node, which a look for those of other threads must
  // not meet.
  struct Family {
    TouchIndex parent = kNoTouch;
    TouchIndex first = kNoTouch;
    std::uint32_t next = kNoFamily;  // of the same parent, by thread
    ThreadId thread = kNoThread;
  };
  static constexpr std::uint32_t kNoFamily = 0xffffffff;
  // With the hash, an event is looked at only if it is the right one.
  struct Bucket {
    std::uint32_t hash = 0;
    EventId event = kBottom;
  };

  static std::uint32_t hash(const Action& action);
  std::uint32_t hash(EventId e) const;
  bool is(EventId e, const Action& action) const;
  void set_clock(EventId e, const Action& action);
  void set_touches(EventId e, const Label& label, FunctionRef<TouchIndex(ObjectIndex)> last_total);
  void note_arrival(ObjectIndex barrier, const ArrivalPlace& place);
  bool same_touches(EventId a, EventId b) const;
  std::uint32_t family(ObjectIndex object, TouchIndex parent, ThreadId thread);
  void link(EventId e);
  void rehash(std::size_t buckets);
  void put(Bucket bucket);

  Objects objects_;
  TreeDepths thread_depths_;
  TreeDepths object_depths_;
  std::vector<Node> nodes_;
  std::vector<EventId> causes_;
  std::vector<Touch> touches_;
  std::vector<Family> families_;
  std::vector<std::uint32_t> root_families_;         // by object
  std::vector<std::vector<ArrivalPlace>> arrivals_;  // by object, sorted
  Clocks clocks_;
  std::vector<EventId> thread_roots_;  // by thread: the first of the events without a predecessor
  std::vector<bool> varied_roots_;     // by thread
  std::vector<Bucket> table_;          // open addressing, by name
};

template <typename Visit>
bool EventStructure::for_each_next(ThreadId thread, EventId pt, Visit&& visit) const {
  EventId e = pt != kBottom                   ? nodes_[pt].first_child
              : thread < thread_roots_.size() ? thread_roots_[thread]
                                              : kBottom;
  for (; e != kBottom; e = nodes_[e].next_sibling)
    if (nodes_[e].thread == thread && !visit(e)) return false;
  return true;
}

template <typename Visit>
bool EventStructure::for_each_child(ObjectIndex object, TouchIndex parent, ThreadId but,
                                    Visit&& visit) const {
  std::uint32_t f = parent != kNoTouch               ? touches_[parent].children()
                    : object < root_families_.size() ? root_families_[object]
                                                     : kNoFamily;
  for (; f != kNoFamily; f = families_[f].next) {
    if (families_[f].thread == but) continue;
    // visit may take it out of the list, or put others behind it.
    for (TouchIndex t = families_[f].first; t != kNoTouch; t = touches_[t].next_sibling)
      if (!visit(touches_[t])) return false;
  }
  return true;
}

}  // namespace mazur::unfolding
