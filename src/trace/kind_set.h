// A set of kinds of operations, as one word: asking is two instructions.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "trace/label.h"

namespace mazur {

class KindSet {
 public:
  constexpr KindSet(std::initializer_list<OpKind> kinds) {
    for (const OpKind kind : kinds) bits_ |= bit(kind);
  }
  constexpr bool contains(OpKind kind) const { return (bits_ & bit(kind)) != 0; }
  friend constexpr KindSet operator|(KindSet a, KindSet b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  static_assert(static_cast<unsigned>(kLastKind) < 64);
  static constexpr std::uint64_t bit(OpKind kind) {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }
  std::uint64_t bits_ = 0;
};

}  // namespace mazur
