// How many executions of which kind, as bytes (base/archive.h).
#pragma once

namespace mazur {

inline constexpr auto tally_fields = [](auto& archive, auto& tally) {
  archive.number(tally.complete);
  archive.number(tally.blocked);
  archive.number(tally.assume_blocked);
  archive.number(tally.bounded);
  archive.number(tally.events);
  archive.number(tally.failures);
  archive.number(tally.depth);
};

}  // namespace mazur
