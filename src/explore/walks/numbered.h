// Walks whose executions have numbers, from 0. What an execution does depends on its number, on the
// options and, with pct, on the length of the first few executions. So any process can run any of
// them, and a piece of the work is a range of numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "explore/divisible.h"
#include "explore/explorer.h"

namespace mazur {

// Which executions are left to run.
struct NumberedRange {
  static constexpr std::uint64_t kEndless = ~std::uint64_t{0};
  std::uint64_t next = 0;
  std::uint64_t end = kEndless;  // behind the last one
  std::uint32_t longest = 0;     // pct: the longest of the first few that are known

  bool is_endless() const { return end == kEndless; }
  friend bool operator==(const NumberedRange&, const NumberedRange&) = default;
};

// The range in at most `parts` ranges, in order. One with an end is cut into equal parts. One without
// gives away no more than has been run before it, so that little is in vain when an error ends all;
// its last part is without an end.
std::vector<NumberedRange> parts_of(const NumberedRange& range, std::size_t parts);

// Without options.executions it never finishes, but when it has run all of a piece with an end.
class NumberedWalk : public Explorer, public Divisible {
 public:
  bool plan(const Trace& trace, const Frontier&, End) final;
  std::size_t keep() const final { return 0; }
  Divisible* divisible() final { return this; }

  bool can_divide() const final { return true; }
  std::vector<std::string> divide(std::size_t parts) final;
  bool take(std::span<const char> piece) final;
  std::uint32_t lessons() const final { return 0; }
  void learn(std::uint32_t) final {}
  bool is_empty() const final { return range_.next == range_.end; }

 protected:
  // `name`: of the walk. The walk itself calls begin() for the first execution.
  NumberedWalk(std::string_view name, const ExplorerOptions& options);

  // An execution begins.
  virtual void begin() = 0;
  // An execution is over.
  virtual void note(const Trace&, NumberedRange&) const {}
  // Whether the next one depends on those that were run here: then the rest stays together.
  virtual bool still_learns() const { return false; }

  const NumberedRange& range() const { return range_; }
  std::uint64_t seed() const { return seed_; }

 private:
  const std::string_view name_;
  const std::uint64_t seed_;
  const std::uint32_t depth_;  // so that pieces of other walks are known
  NumberedRange range_;
};

}  // namespace mazur
