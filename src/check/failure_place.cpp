#include "check/failure_place.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"

namespace mazur {
namespace {

void add_sorted(Fnv1a& place, std::vector<std::uint64_t> values) {
  std::sort(values.begin(), values.end());
  for (const std::uint64_t value : values) place.add(value);
}

}  // namespace

std::uint64_t failure_place(const Failure& failure, const Frontier& frontier) {
  Fnv1a place;
  place.add(static_cast<std::uint64_t>(failure.kind));
  const bool waits =
      failure.kind == FailureKind::kDeadlock || failure.kind == FailureKind::kLivelock;
  if (waits && !frontier.threads().empty() && !frontier.any_enabled()) {
    std::vector<std::uint64_t> pcs;
    for (const Pending& p : frontier.threads()) pcs.push_back(p.pc);
    add_sorted(place, std::move(pcs));
  } else if (failure.kind == FailureKind::kDataRace) {
    std::vector<std::uint64_t> sides;
    if (!failure.stack.empty()) sides.push_back(failure.stack[0]);
    if (!failure.other.stack.empty()) sides.push_back(failure.other.stack[0]);
    add_sorted(place, std::move(sides));
  } else {
    for (const std::uint64_t pc : failure.stack) place.add(pc);
    if (!failure.other.stack.empty()) place.add(failure.other.stack[0]);
    if (failure.kind == FailureKind::kExitCode)
      for (const char c : failure.message.text) place.add(static_cast<unsigned char>(c));
  }
  return place.value();
}

}  // namespace mazur
