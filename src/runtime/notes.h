// Remarks about the program that are no errors: places in it, found by running schedules again.
//
// A note travels as a Record of kind kNone. Its message is one of the names below, its events are
// the operations in question, with their call stacks.
#pragma once

#include <span>
#include <vector>

#include "check/busiest.h"
#include "check/unrolling.h"
#include "machine/native/engine/program_machine.h"
#include "protocol/record.h"
#include "runtime/reporter.h"

namespace mazur::native {

// The operations weaker than seq_cst that are in races of these schedules.
Record weak_note(ProgramMachine& machine, std::span<const std::vector<Step>> schedules);

// Where the thread is that the executions do not come to an end because of, perhaps.
Record busiest_note(ProgramMachine& machine, const Busiest& busiest);

// Why the loop that the schedule ends in does not count as one that waits: number `loop` of those that
// were cut, or kNoLoop. Writes nothing if that was not found out.
void write_reason(Reporter& reporter, ProgramMachine& machine, std::span<const Step> schedule,
                  std::uint64_t loop);

// Loops that were cut.
Record unroll_note(std::span<const CutLoop> loops);

}  // namespace mazur::native
