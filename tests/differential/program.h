// Small concurrent C programs as values: what is generated, written as C, and enumerated.
//
// Nothing in this folder but the driver (compare, differential.cpp) knows Mazur: programs, their C
// text and the enumeration share no code with src/.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace differential {

inline constexpr int kAtomics = 3;  // x, y, z: atomic_int, 0 at the start
inline constexpr int kMutexes = 2;  // m, n
inline constexpr int kPlain = 2;    // p, q: int, 0 at the start; p is only used under m, q under n
inline constexpr int kRegisters = 3;  // local variables of each thread, 0 at the start
inline constexpr int kThreads = 5;    // main, which is thread 0, and at most four more

enum class Kind : std::uint8_t {
  kLoad,         // register = atomic
  kStore,        // atomic = a
  kAdd,          // register = fetch_add(atomic, a)
  kExchange,     // register = exchange(atomic, a)
  kCompareSwap,  // register = whether compare_exchange(atomic, a, b) succeeded
  kCompareOld,   // the same, but register = what it saw
  kSection,      // lock(mutex); body; unlock(mutex)
  kTry,          // register = whether trylock(mutex) succeeded; if so, body and unlock(mutex)
  kIf,           // if (register relation constant) body else otherwise
  kPlainRead,    // register = plain
  kPlainWrite,   // plain = a
  kCreate,
  kJoin,  // in main only; object: the thread
};

enum class Order : std::uint8_t { kRelaxed, kAcquire, kRelease, kBoth, kSeqCst };

// A register, if there is one, plus a constant.
struct Value {
  int reg = -1;
  int constant = 0;
};

enum class Relation : std::uint8_t { kEqual, kNotEqual, kLess };

struct Statement {
  Kind kind = Kind::kLoad;
  int object = 0;
  int reg = 0;
  Value a, b;
  Order order = Order::kSeqCst;
  Order failure = Order::kSeqCst;  // of a compare-exchange
  Relation relation = Relation::kEqual;
  std::vector<Statement> body, otherwise;
};

using Code = std::vector<Statement>;

// Main creates every other thread once, and joins it once later.
struct Program {
  std::vector<Code> threads;
};

}  // namespace differential
