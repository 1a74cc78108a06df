// Happens-before modulo observability: "Optimal dynamic partial order reduction with
// context-sensitive independence and observers", section 4.1, Definition 1.
//
// Two stores that nobody has seen the order of are not ordered. A read that sees which of several
// stores was the last one orders that one after the others: it observes their races. Everything
// else is ordered as in Trace. So two executions are equivalent iff they have the same events,
// reads and writes of the same bytes in the same order, and every read takes each of its bytes from
// the same write.
//
// Only plain and atomic stores can go unseen, and what an atomic block writes without having read
// it, if it is one place. Operations that read what they replace are observers themselves; locks,
// semaphores and all other objects are fully ordered. Bytes that an await compares are fully
// ordered, too: a thread that waits for them looks at every value. So are bytes that are written in
// pieces of different sizes, and what a block writes in several places: a write can be hidden in
// part.
//
// Messages: see mailboxes.h. Two sends to one mailbox are ordered only if a receive tells them
// apart; that receive is the observer of their race. It may come before the second one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/observers/granules.h"
#include "explore/observers/mailboxes.h"
#include "explore/observers/memory_use.h"
#include "explore/observers/mixed_sizes.h"
#include "trace/reversal.h"
#include "trace/trace.h"
#include "trace/wait_set.h"

namespace mazur {

// Which dependences need an observer.
class Observation final : public WeakerDependence {
 public:
  // Off: no store is blind, and everything is as in Trace.
  // Messages are ordered at least so, and as in Trace if it is off.
  explicit Observation(bool on, MailOrder least = MailOrder::kOrdered)
      : on_(on), mailboxes_(on ? least : MailOrder::kOrdered) {}

  bool on() const { return on_; }
  // Notes that these bytes are awaited. Returns whether that is new.
  bool note_awaited(const Operation& await);

  // Notes the sizes of writes. Bytes that are written in pieces of different sizes are fully
  // ordered, like awaited ones. Returns whether there are new ones.
  bool note_sizes(const Label& label) {
    bool added = false;
    sizes_.note(label, [&](ObjectId begin, ObjectId end) {
      awaited_.push_back({begin, end});
      added = true;
    });
    return added;
  }

  // Notes that somebody runs the operation or waits for it. Returns whether that changes the order
  // of messages.
  bool note_messages(const Operation& op) {
    blocks_ = blocks_ || op.kind == OpKind::kAtomicBlock;
    return mailboxes_.note(op);
  }
  // Whether there are operations that the published algorithm with observers does not have: atomic
  // blocks, and mailboxes that are only counted.
  bool is_beyond_paper() const { return blocks_ || mailboxes_.any_counted(); }
  void next_execution() { mailboxes_.next_execution(); }
  void order_messages() { mailboxes_.order_all(); }
  void look_at(ObjectId mailbox) { mailboxes_.look_at(mailbox); }
  const Mailboxes& mailboxes() const { return mailboxes_; }
  // Whether it sends a message whose order with others has to be observed, or may have to be.
  bool sends_blindly(const Label& l) const {
    return l.kind == OpKind::kSend && mailboxes_.order(l.object) == MailOrder::kLooked;
  }

  // A write of the label whose order with other blind ones has to be observed to count.
  bool blind(const Label& l, const MemoryUse& use) const {
    return on_ && use.writes && !use.reads &&
           (l.kind == OpKind::kStore || (l.kind == OpKind::kAtomicBlock && writes_one_place(l))) &&
           (awaited_.empty() || !awaited(use));
  }
  // Whether it has one, or sends blindly. A block of which nothing is known may have one.
  bool writes_blindly(const Label& l) const {
    if (!on_) return false;
    if (l.kind == OpKind::kSend) return sends_blindly(l);
    if (l.kind == OpKind::kStore)
      return awaited_.empty() || !awaited({l.object, l.object + l.size, false, true});
    return l.kind == OpKind::kAtomicBlock && block_writes_blindly(l);
  }
  // Whether both are single stores that are blind, of whatever bytes: what most blind writes are.
  bool blind_stores(const Label& a, const Label& b) const {
    return a.kind == OpKind::kStore && b.kind == OpKind::kStore && writes_blindly(a) &&
           writes_blindly(b);
  }
  // For labels that are not clearly_independent(). Whether they surely depend, observed or not,
  // because both are single accesses to memory.
  bool surely_dependent(const Label& a, const Label& b) const {
    const auto is_access = [](const Label& l) {
      return l.kind >= OpKind::kLoad && l.kind <= OpKind::kRmw && !reads_other_locations(l);
    };
    return is_access(a) && is_access(b) && !blind_stores(a, b);
  }
  // Whether both write one byte blindly, or send blindly to one mailbox.
  bool compete(const Label& a, const Label& b) const;
  // Whether the two depend, observed or not.
  bool dependent(const Event& a, const Event& b) const override;
  // The same for next steps that are both enabled (dependent_next).
  bool dependent_next(const Event& p, const Event& q) const;

 private:
  struct Range {
    ObjectId begin, end;
  };
  bool awaited(const MemoryUse& use) const;
  bool block_writes_blindly(const Label& l) const;
  static bool writes_one_place(const Label& block);
  bool only_blind(const Label& a, const Label& b) const;
  bool unordered_messages(const Label& a, const Label& b) const;

  bool on_;
  bool blocks_ = false;  // there are atomic blocks
  Mailboxes mailboxes_;
  MixedSizes sizes_;
  std::vector<Range> awaited_;  // and of mixed sizes
};

// The order over the events of a trace. A later read can order earlier stores, so the order is
// computed when the execution is over; only what a new suffix changes is computed again.
class Observability {
 public:
  explicit Observability(const Observation& observation) : observation_(observation) {}

  // Goes over to another trace that shares its first `keep` events with the last one.
  void follow(const Trace& trace, std::size_t keep);

  // Whether the order is the dependence order of the trace: no two blind writes are in a race
  // there. Then nothing is computed.
  bool is_dependence() const { return differs_at_ == kNoEvent; }
  // Whether it is already another one in the prefix of this length. Then follow() with that prefix
  // does not ask for the order of the trace.
  bool differs_before(std::size_t size) const { return differs_at_ < size; }
  // e -> f modulo observability, reflexive.
  bool happens_before(EventIndex e, EventIndex f) const {
    return now_[f * trace_->stride() + trace_->thread(e)] > trace_->place(e);
  }
  // The same for one e and many f, in loops.
  class After {
   public:
    After(const Observability& order, EventIndex e)
        : column_(order.now_ + order.trace_->thread(e)),
          stride_(order.trace_->stride()),
          place_(order.trace_->place(e)) {}
    bool operator()(EventIndex f) const { return column_[f * stride_] > place_; }

   private:
    const std::uint32_t* column_;
    std::size_t stride_;
    std::uint32_t place_;
  };
  After after(EventIndex e) const { return {*this, e}; }
  // As Trace::clocks().
  const std::uint32_t* clocks() const { return now_; }
  // The events e with e <~ f, latest first. Creation and join are left out.
  std::span<const EventIndex> races(EventIndex f) const {
    if (is_dependence()) return trace_->races(f);
    const std::size_t begin = own_races_before(f);
    return {races_.data() + begin, records_[f].races_end - begin};
  }
  std::size_t races_before(EventIndex f) const {
    return is_dependence() ? trace_->races_before(f) : own_races_before(f);
  }
  // From which event on the order of the last trace may have been another one.
  EventIndex changed() const { return changed_; }

  // observers(e, f, E) of a race between blind writes: the reads that see f last, without those
  // that happen after another one. In trace order; empty for races that need no observer. A race
  // between sends is observed by the receive of the first one's message.
  void observers(EventIndex e, EventIndex f, std::vector<EventIndex>& found) const;

  // The write that a load of at most 8 bytes has all its bytes from; kNoEvent if there is no such
  // one.
  EventIndex source(EventIndex load) const;
  // A receive of a counted mailbox after which its thread goes on, and which could have come after
  // other sends than those that came before it; kNoEvent if there is none.
  EventIndex uncertain_count() const;

 private:
  // kLook: what else a loop waits for; it is enabled by a write, but sees no value. kOrdered: a
  // write, or a free, that is ordered with all, and sees none of them. kTotal: reads and writes.
  // In a mailbox, kSent: a send; kTook, kMissed: a receive that took a message, or none.
  enum class Kind : std::uint8_t {
    kRead,
    kLook,
    kBlindWrite,
    kOrdered,
    kTotal,
    kSent,
    kTook,
    kMissed
  };
  static bool is_write(Kind k) { return k >= Kind::kBlindWrite && k <= Kind::kTotal; }
  struct Touch {
    EventIndex event;
    Kind kind;
    std::uint8_t bytes;  // of the granule, as a bit set
    // kRead: the one event that wrote all its bytes, kNever or kNone. kTook: the send.
    std::uint32_t write;
  };
  struct Edge {  // from -> to, observed by an event
    EventIndex from, to, by;
    std::uint32_t next;  // with the same `to`
  };
  struct Record {
    std::uint32_t before_end;  // in before_
    std::uint32_t races_end;
    std::uint32_t granules_end;  // in granules_
    std::uint32_t edges;         // the first Edge to this event, or kNone
    std::uint32_t history;       // touches recorded up to and including it
  };
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint32_t kNever = 0xfffffffe;  // nobody wrote any of them
  static constexpr int kGranuleShift = 3;
  static constexpr ObjectId kMailbox = ObjectId{1} << 63;  // these granules are mailboxes

  std::size_t own_races_before(EventIndex f) const {
    return f == 0 ? 0 : records_[f - 1].races_end;
  }
  bool differs_at(EventIndex e) const;
  void truncate(std::size_t size);
  void append(EventIndex self);
  void append_single(EventIndex self);
  void append_block(EventIndex self);
  void append_message(EventIndex self);
  void append_memory(EventIndex self, const Access& access, Kind kind);
  void walk_store(const std::vector<Touch>& list, std::uint8_t bytes, EventIndex self);
  std::uint32_t walk_read(const std::vector<Touch>& list, Kind kind, std::uint8_t bytes,
                          EventIndex self);
  void observe_bytes(EventIndex store, unsigned bytes, const EventIndex* last, EventIndex by);
  void add_edge(EventIndex from, EventIndex to, EventIndex by);
  void order();
  std::uint32_t granule(ObjectId number);
  Kind kind_of(const Label& label, const Access& access, bool own) const;
  void walk_look(const std::vector<Touch>& list, std::uint8_t bytes);
  void walk_ordered(const std::vector<Touch>& list, std::uint8_t bytes);
  void keep_earliest(std::vector<EventIndex>& found) const;
  void readers_after(EventIndex f, ObjectId begin, ObjectId end,
                     std::vector<EventIndex>& found) const;

  const Observation& observation_;
  const Trace* trace_ = nullptr;
  History history_;                          // of what is not plain memory
  Granules granules_of_;                     // and of mailboxes
  std::vector<std::vector<Touch>> touches_;  // by granule
  std::vector<std::uint32_t> granules_;      // touched by each event
  std::vector<EventIndex> before_;           // direct predecessors that need no observer
  std::vector<Edge> edges_;
  std::vector<Record> records_;
  std::vector<std::uint32_t> clocks_;
  const std::uint32_t* now_ = nullptr;  // the clocks, or the trace's
  std::size_t stride_ = 0;
  std::vector<EventIndex> races_;
  std::vector<EventIndex> direct_;  // scratch
  EventIndex changed_ = 0;
  EventIndex computed_ = 0;           // clocks and races of the events before it are known
  EventIndex differs_at_ = kNoEvent;  // the first event whose order is not that of the trace
};

}  // namespace mazur
