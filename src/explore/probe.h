// Executions on the side: what would happen if these steps were run from the initial state.
//
// For explorers that need to know the labels of an order they have not explored: what an atomic
// block touches when it comes earlier, and (context-sensitive exploration) what two blocks leave in
// memory in the other order.
//
// Only in plan(), and every call costs an execution of that many steps.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "trace/reversal.h"
#include "trace/trace.h"

namespace mazur {

class Probe {
 public:
  virtual ~Probe() = default;
  // The execution of these steps, with its happens-before order. It is shorter if a step was not
  // possible or the program ended early. Valid until the next call.
  virtual const Trace& run(std::span<const Step> steps) = 0;
  // After run(): a fingerprint of these two threads and of what all threads are about to do. Two
  // runs with the same memory and the same fingerprint go on alike. Empty if a step failed, or if
  // the machine cannot tell.
  virtual std::optional<std::uint64_t> state_of(std::array<ThreadId, 2>) { return std::nullopt; }
};

// It is not yet known what the last step of v touches there (reversal.h): runs E'.v, and writes the
// step's label into v. Throws std::logic_error if a step is not possible.
void resolve(Probe& probe, const Trace& trace, Reversal& v);

// The last event of the execution of these steps. Throws std::logic_error if a step is not
// possible. Valid until the probe runs again.
const Event& last_event(Probe& probe, std::span<const Step> steps);

// The value of [object, object + size), size <= 8, after the trace, as far as its events wrote
// there. Empty if some byte was written by none.
std::optional<std::uint64_t> written_value(const Trace& trace, ObjectId object, std::uint32_t size);

}  // namespace mazur
