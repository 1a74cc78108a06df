// A checked process that explores what it is offered, piece by piece (protocol/slice.h).
#pragma once

#include "machine/native/engine/program_machine.h"
#include "protocol/channel.h"

namespace mazur::native {

// Returns when there is no more work.
void work_on_offers(Channel& channel, ProgramMachine& program);

}  // namespace mazur::native
