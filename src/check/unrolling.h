// Counts the iterations of loops in an execution, from the outside: by where operations are.
//
// A thread that comes back to a place (the same program counter, called the same way) has begun
// another iteration. The places a thread has been at are kept in the order of their first visit.
// When it comes back to one, those after it are forgotten: they belong to the iteration that is
// over. For example, the inner loop of
//
//   A B C B C B C A B C
//
// is counted at B: 3 iterations, and then 1 in the second iteration of A's loop.
//
// The counts depend on the thread's own steps only. So a program whose loops are cut is again a
// program, and explorers lose none of its traces. A thread without end comes back to some place
// more often than any number.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/machine.h"

namespace mazur {

class Unrolling {
 public:
  explicit Unrolling(std::uint32_t most) : most_(most) {}

  bool on() const { return most_ != 0; }
  void restart() {
    for (auto& places : of_thread_) places.clear();
  }
  // The thread runs its next operation.
  void run(const Pending& next);
  // Whether its next operation would begin an iteration too many.
  bool exceeded(const Pending& next) const;
  // The frontier with all threads that exceed the bound stopped for good, as after a failed assume.
  // `cut` says whether there is one. Valid until the next call.
  const Frontier& limit(const Frontier& frontier, bool& cut);

 private:
  struct Visits {
    std::uint64_t place;
    std::uint32_t count;
  };
  // Whether it counts. Creating and joining threads and the end of the process do not: they happen
  // once for each thread.
  static bool counts(OpKind kind) {
    return kind != OpKind::kCreate && kind != OpKind::kJoin && kind != OpKind::kExit &&
           kind != OpKind::kNever;
  }
  // One call may be two operations (wait and wake up): they are told apart by their kind.
  static std::uint64_t place_of(const Pending& p) {
    return (p.place != 0 ? p.place : p.pc) * 256 + static_cast<std::uint64_t>(p.op.kind);
  }

  std::uint32_t most_;
  std::vector<std::vector<Visits>> of_thread_;
  Frontier limited_;
};

}  // namespace mazur
