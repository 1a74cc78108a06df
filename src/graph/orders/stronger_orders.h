// Which stronger memory orders would forbid an execution, and which new fences.
//
// Orders are changed at sites: all events of a site together, because they are one operation in the
// source. Stronger orders never allow more. So a set of sites is of no use if it does not forbid
// the execution with seq_cst everywhere in it. A fence that is not there is one that is relaxed.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "trace/label.h"
#include "trace/memory_model.h"

namespace mazur {

using Site = std::uint32_t;
inline constexpr Site kNoSite = std::numeric_limits<Site>::max();

struct StrongerOrder {
  Site site = kNoSite;
  std::uint8_t order = __ATOMIC_SEQ_CST;  // at least that
  friend bool operator==(const StrongerOrder&, const StrongerOrder&) = default;
};

struct Forbidding {
  enum class Answer : std::uint8_t {
    kUnknown,
    kChanges,  // `changes` together forbid it
    kNothing,  // it is allowed with seq_cst at all sites
  };
  Answer answer = Answer::kUnknown;
  // The fewest sites, if two are enough, and then the weakest orders; else no site can be left out
  // and no order be weaker. In the order of the sites. Where a question costs too much, the answer to
  // it is taken to be no.
  std::vector<StrongerOrder> changes;
};

// `sites`: of each event its site, from 0, or kNoSite if nobody can change it or it has no memory
// order. The kind of operation is the same for all events of a site. The events may come from a
// file: what is no execution has the answer kUnknown.
Forbidding forbidding_orders(std::span<const Event> events, std::span<const Site> sites,
                             MemoryModel model);

// The same for fences that are not there yet, one or two. `gaps`: of each event the site of a fence
// right behind it, or kNoSite. If more than two were needed the answer is kUnknown.
Forbidding forbidding_fences(std::span<const Event> events, std::span<const Site> gaps,
                             MemoryModel model);

}  // namespace mazur
