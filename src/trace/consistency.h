// u ~ x modulo observability, step by step along u, as on a path in a wakeup tree: p.u' ~ x iff p
// is a weak initial of x and u' ~ (x without p) after p.
//
// p is a weak initial of x if x can start with p: steps that depend keep their order (Lemma 4.6 of
// the JACM paper), and every read in x takes each byte from the same store as in x. Stores of x
// that no read in x tells apart have no order, so p may be any of them; which of them is last is
// settled by the path.
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
  void add(const Event& event) { x_.push_back(&event), taken_.push_back(false); }
  std::size_t size() const { return x_.size(); }
  const Event& operator[](std::size_t i) const { return *x_[i]; }
  bool taken(std::size_t i) const { return taken_[i]; }

  // Whether u.p ~ x, given that u ~ x. p lives on if it is taken.
  Match match(const Event& p);
  void take(const Event& p, Match match);
  // After kConflict: which event of x is in the way, or kAll.
  std::uint32_t in_the_way() const { return in_the_way_; }
  // After kInitial: which event of x p is.
  std::uint32_t found() const { return found_; }

 private:
  struct Item {
    const Event* event;
    std::uint32_t x;  // its place in x, or kAll
  };

  std::uint32_t next_of(ThreadId thread) const;
  bool arrival_independent(const Event& p);
  bool reorders(const Event& p, std::uint32_t at) const;
  bool same_reads(const Event& p, std::uint32_t at);

  const Observation& observation_;
  const Trace* trace_ = nullptr;
  EventIndex prefix_ = 0;
  std::vector<const Event*> x_;
  std::vector<bool> taken_;
  std::vector<Item> path_;
  bool reordered_ = false;  // some blind stores are in another order than in x
  std::uint32_t in_the_way_ = kAll;
  std::uint32_t found_ = kAll;
  std::vector<const Event*> by_path_;  // scratch
};

}  // namespace mazur
