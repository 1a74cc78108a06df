// u ~ x modulo observability, step by step along u, as on a path in a wakeup tree: p.u' ~ x iff p
// is a weak initial of x and u' ~ (x without p) after p.
//
// p is a weak initial of x if x can start with p: steps that depend keep their order (Lemma 4.6 of
// the JACM paper), and every read in x takes each byte from the same store as in x. Stores of x
// that no read in x tells apart have no order, so p may be any of them; which of them is last is
// settled by the path. Likewise with messages: every receive in x takes the same one.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/observers/observability.h"
#include "trace/fields.h"
#include "trace/reversal.h"
#include "trace/wait_set.h"

namespace mazur {

class Consistency {
 public:
  using Match = Reversal::Match;
  static constexpr std::uint32_t kAll = 0xffffffff;

  explicit Consistency(const Observation& observation) : observation_(observation) {}

  // Starts with the empty u, after a prefix of the trace of this length. The events must live on.
  void start(const Trace& trace, EventIndex prefix);
  // The empty u again.
  void restart();
  void add(const Event& event) {
    if (size_ == x_.size()) x_.resize(2 * size_ + 16);
    Item& item = x_[size_];
    const Label& l = event.label;
    item.event = &event;
    item.object = l.object;
    item.size = l.size;
    item.thread = event.thread;
    item.kind = kind_of(l);
    item.taken = false;
    item.previous = size_ - 1;  // kAll before the first one
    item.next = ++size_;
  }
  std::size_t size() const { return size_; }
  const Event& operator[](std::size_t i) const { return *x_[i].event; }
  bool taken(std::size_t i) const { return x_[i].taken; }

  // Whether u.p ~ x, given that u ~ x. p lives on if it is taken.
  //
  // `hidden`, of a blind store that is_tracked(): those of its bytes that blind stores before x
  // have written which p would overtake, too.
  Match match(const Event& p, std::uint64_t hidden = 0);
  // The same for a blind store p, tracked, that has run before x: it could have been the first one
  // also with x if x does not read these bytes before it writes them. After kInitial found() is 0.
  Match match_ran(const Event& p, std::uint64_t hidden);

  // Bytes of a single store are counted from its first one, as a bit set.
  static bool is_tracked(const Label& store) {
    return store.kind == OpKind::kStore && store.size - 1 < 64;
  }
  static std::uint64_t all_bytes(const Label& store) {
    return ~std::uint64_t{0} >> (64 - store.size);
  }
  static std::uint64_t written_bytes(const Label& store, const Label& by);
  static std::uint64_t read_bytes(const Label& store, const Label& by);
  // After match(p), which was no conflict.
  void take(const Event& p, Match match);
  // After kConflict: which event of x is in the way, or kAll.
  std::uint32_t in_the_way() const { return in_the_way_; }
  // Then, if p is in x and can only not overtake a blind store because a read would see it: the
  // store and the read, which are in the way, too. Else kAll.
  std::uint32_t overtaken() const { return overtaken_; }
  std::uint32_t seen_by() const { return seen_by_; }
  // After kInitial: which event of x p is.
  std::uint32_t found() const { return found_; }
  // After kInitial: p, or the later event that hides which stores it has overtaken. The answer
  // rests on what comes before it; kAll: on all of x.
  std::uint32_t rests_on() const { return rests_on_; }

 private:
  // What most labels come down to, for the loops over x.
  enum class Kind : std::uint8_t {
    kReads,
    kStores,
    kBlindWrite,  // stores blindly
    kUpdates,     // reads and writes
    kMutex,
    kThread,  // creation and join
    kOther,
  };
  struct Item {
    const Event* event;
    ObjectId object;
    std::uint32_t size;
    ThreadId thread;
    Kind kind;
    bool taken;
    // Of those that are left.
    std::uint32_t previous, next;
    bool is_access() const { return kind <= Kind::kUpdates; }
    bool overlaps(const Item& other) const {
      return object < other.object + other.size && other.object < object + size;
    }
  };
  Kind kind_of(const Label& l) const {
    if (is_memory(l.kind)) {
      if (reads_other_locations(l)) return Kind::kOther;
      if (l.kind == OpKind::kStore)
        return observation_.writes_blindly(l) ? Kind::kBlindWrite : Kind::kStores;
      return l.kind == OpKind::kLoad || (l.kind == OpKind::kCas && !wrote(l)) ? Kind::kReads
                                                                              : Kind::kUpdates;
    }
    if (l.kind >= OpKind::kLock && l.kind <= OpKind::kUnlock) return Kind::kMutex;
    return l.kind == OpKind::kCreate || l.kind == OpKind::kJoin ? Kind::kThread : Kind::kOther;
  }
  Item item_of(const Event& event) const {
    const Label& l = event.label;
    return {&event, l.object, l.size, event.thread, kind_of(l), false, kAll, kAll};
  }
  // As dependence.h: true only if the two do not depend.
  static bool clearly_independent(const Item& a, const Item& b) {
    if (a.kind == Kind::kThread || b.kind == Kind::kThread) return true;
    if (a.kind == Kind::kOther || b.kind == Kind::kOther) return false;
    if (a.is_access() && b.is_access())
      return !a.overlaps(b) || (a.kind == Kind::kReads && b.kind == Kind::kReads);
    return a.is_access() || b.is_access() || a.object != b.object;
  }

  std::uint32_t next_of(ThreadId thread) const;
  bool comes_before_all(const Event& p, std::uint32_t at) const;
  bool arrival_independent(const Event& p);
  bool same_reads(std::uint32_t at);
  bool same_reads(std::uint32_t at, ObjectId base, std::uint64_t bytes);
  bool not_read(std::uint32_t from, ObjectId base, std::uint64_t bytes);
  struct Bytes {
    std::uint64_t written = 0, read = 0;
  };
  Bytes uses(std::uint32_t i, ObjectId base, std::uint64_t of) const;
  bool same_messages(const Event& p, std::uint32_t at) const;
  std::vector<std::uint64_t> messages_taken(ObjectId mailbox, const Event* p,
                                            std::uint32_t at) const;

  const Observation& observation_;
  const Trace* trace_ = nullptr;
  EventIndex prefix_ = 0;
  std::vector<Item> x_;  // the first size_
  std::uint32_t size_ = 0;
  std::uint32_t left_ = 0;          // the first that is left; they are linked
  std::vector<const Event*> path_;  // u
  std::uint32_t in_the_way_ = kAll;
  std::uint32_t overtaken_ = kAll;
  std::uint32_t seen_by_ = kAll;
  std::uint32_t found_ = kAll;
  std::uint32_t rests_on_ = kAll;
};

}  // namespace mazur
