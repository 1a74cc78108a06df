// Where atomic operations and fences stand, and which memory order they have instead of the one that
// is written there (--weaken). Addresses are those of the process: programs are loaded without
// randomisation, so they are the same each time (mazur compares the modules).
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "trace/label.h"

namespace mazur {

// An operation as the program calls it. By the runtime; mazur believes nothing of it.
struct OrderSite {
  static constexpr std::size_t kFrames = 24;

  std::uint64_t key;
  std::uint64_t object;  // what the first one touched
  OpKind kind;           // kLoad, kStore, kRmw, kCas or kFence
  std::uint8_t order;    // the one that is written (__ATOMIC_*)
  std::uint32_t frames;  // of the call stack when it was first met, innermost first
  std::uint64_t stack[kFrames];
};

// The order that a site has now. By mazur.
struct UsedOrder {
  std::uint64_t key;
  std::uint8_t order;  // a fence with __ATOMIC_RELAXED is no fence
};

// Mostly the address of the call tells sites apart. Where it lies in a function that passes its
// order on (std::atomic<bool>::store, if that is not inlined), so many callers count as well.
inline constexpr std::size_t kCallersOfSite = 3;

inline std::uint64_t order_site_key(OpKind kind, int order, std::uint64_t pc) {
  return mixed(mixed(kHashSeed, static_cast<std::uint64_t>(kind) << 8 | (order & 0xff)), pc);
}

}  // namespace mazur
