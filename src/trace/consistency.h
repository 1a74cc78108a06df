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

#include "trace/observability.h"
#include "trace/reversal.h"

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
  void add(const Event& event) { x_.push_back({&event, false}); }
  std::size_t size() const { return x_.size(); }
  const Event& operator[](std::size_t i) const { return *x_[i].event; }
  bool taken(std::size_t i) const { return x_[i].taken; }

  // Whether u.p ~ x, given that u ~ x. p lives on if it is taken.
  Match match(const Event& p);
  // After match(p), which was no conflict.
  void take(const Event& p, Match match);
  // After kConflict: which event of x is in the way, or kAll.
  std::uint32_t in_the_way() const { return in_the_way_; }
  // After kInitial: which event of x p is.
  std::uint32_t found() const { return found_; }
  // After kInitial: whether the answer rests on more of x than what comes before p.
  bool rests_on_all() const { return swaps_; }

 private:
  struct Item {
    const Event* event;
    bool taken;
  };

  std::uint32_t next_of(ThreadId thread) const;
  bool arrival_independent(const Event& p);
  bool same_reads(std::uint32_t at) const;
  bool same_reads(std::uint32_t at, ObjectId base, std::uint64_t bytes) const;
  bool same_messages(const Event& p, std::uint32_t at) const;
  std::vector<std::uint64_t> messages_taken(ObjectId mailbox, const Event* p,
                                            std::uint32_t at) const;

  const Observation& observation_;
  const Trace* trace_ = nullptr;
  EventIndex prefix_ = 0;
  std::vector<Item> x_;
  std::uint32_t left_ = 0;          // all before it are taken: a path mostly goes in the order of x
  std::vector<const Event*> path_;  // u
  bool swaps_ = false;              // the last p, if initial, has overtaken a blind store
  std::uint32_t in_the_way_ = kAll;
  std::uint32_t found_ = kAll;
};

}  // namespace mazur
