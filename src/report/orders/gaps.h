// Where in the source a new fence could stand: between two lines of a function that a thread has run
// one after the other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "report/findings/finding.h"

namespace mazur {

struct Gap {
  Frame after, before;  // of the same function; the first line comes before the second
};

// The gap between two operations with these call stacks: in the function in which they part, which
// may be a caller of both. Nothing if there is none in user code, or if the second line does not
// come later.
std::optional<Gap> gap_between(const std::vector<std::uint64_t>& first,
                               const std::vector<std::uint64_t>& second, const Places& places);

// The gaps of a recorded execution that have an atomic operation in front of them, and another one
// of the same thread somewhere behind. Only objects count that several threads use and one writes: a
// fence behind another access could as well stand in front of it.
class Gaps {
 public:
  explicit Gaps(const Finding& finding);

  // Of each event the number of the gap right behind it, or kNone. The same lines have the same
  // number, from 0.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  const Gap& operator[](std::uint32_t number) const { return gaps_[number]; }

 private:
  std::uint32_t number_of(const Gap& gap);

  std::vector<std::uint32_t> numbers_;
  std::vector<Gap> gaps_;
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

}  // namespace mazur
