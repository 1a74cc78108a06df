// What comes before the first execution of an exploration, and before one that begins again.
#pragma once

#include "machine/native/engine/program_machine.h"
#include "protocol/channel.h"

namespace mazur::native {

// So often the exploration may begin again; then nothing is left out or assumed any more.
inline constexpr unsigned kMostBeginnings = 16;

// Learns what is to be an event and where loops wait.
void begin_exploration(const Request& request, ProgramMachine& program);

// What was explored does not count (Machine::outdated): takes over what that has taught.
void begin_again(bool too_often);

}  // namespace mazur::native
