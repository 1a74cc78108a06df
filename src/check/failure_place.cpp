#include "check/failure_place.h"

#include <algorithm>
#include <vector>

namespace mazur {
namespace {

class Place {
 public:
  void add(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }
  void add_sorted(std::vector<std::uint64_t> values) {
    std::sort(values.begin(), values.end());
    for (const std::uint64_t value : values) add(value);
  }
  std::uint64_t number() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

std::uint64_t failure_place(const Failure& failure, const Frontier& frontier) {
  Place place;
  place.add(static_cast<std::uint64_t>(failure.kind));
  const bool waits =
      failure.kind == FailureKind::kDeadlock || failure.kind == FailureKind::kLivelock;
  if (waits && !frontier.threads().empty() && !frontier.any_enabled()) {
    std::vector<std::uint64_t> pcs;
    for (const Pending& p : frontier.threads()) pcs.push_back(p.pc);
    place.add_sorted(std::move(pcs));
  } else if (failure.kind == FailureKind::kDataRace) {
    std::vector<std::uint64_t> sides;
    if (!failure.stack.empty()) sides.push_back(failure.stack[0]);
    if (!failure.other.stack.empty()) sides.push_back(failure.other.stack[0]);
    place.add_sorted(std::move(sides));
  } else {
    for (const std::uint64_t pc : failure.stack) place.add(pc);
    if (!failure.other.stack.empty()) place.add(failure.other.stack[0]);
    if (failure.kind == FailureKind::kExitCode)
      for (const char c : failure.message) place.add(static_cast<unsigned char>(c));
  }
  return place.number();
}

}  // namespace mazur
