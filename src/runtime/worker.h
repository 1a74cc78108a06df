// A checked process that explores what it is offered, piece by piece (protocol/slice.h).
#pragma once

#include "check/loop.h"
#include "machine/native/engine/program_machine.h"
#include "protocol/channel.h"

namespace mazur::native {

// Returns when there is no more work. Only what belongs to no piece is in the outcome: schedules
// that show weak operations.
Outcome work_on_offers(Channel& channel, ProgramMachine& program);

}  // namespace mazur::native
