// Where in the source a memory order stands: the line of an atomic operation that a user can change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "report/findings/finding.h"

namespace mazur {

// Whether an operation has a memory order: atomic accesses and fences.
bool has_memory_order(OpKind kind);

// The line of an operation with this call stack, or nothing if it has none that is the user's. The
// functions of std::atomic belong to the line that calls them; other functions of the standard
// library have orders of their own.
std::optional<Frame> order_line(const std::vector<std::uint64_t>& stack, const Places& places);

// Whether the call at this address stands in such a function of std::atomic alone, so that only its
// callers tell which line it is.
bool is_in_passing(std::uint64_t pc, const Places& places);

// Numbers for lines with the same kind of operation, from 0, in the order in which they are met.
class SiteNumbers {
 public:
  std::uint32_t number_of(const Frame& line, OpKind kind);
  struct Place {
    Frame line;
    OpKind kind = OpKind::kNone;
  };
  const std::vector<Place>& places() const { return places_; }

 private:
  std::map<std::tuple<std::string, std::uint32_t, OpKind>, std::uint32_t> numbers_;
  std::vector<Place> places_;
};

// "load", "store", "update", "compare-exchange", "fence"
std::string_view site_operation(OpKind kind);

}  // namespace mazur
