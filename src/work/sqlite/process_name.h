// Whether another process of this machine still lives, by a name that no other process ever has.
#pragma once

#include <string>

namespace mazur {

// The machine's boot, the space of process numbers, this process's number and when it was started.
std::string name_of_this_process();

// False only if it is certain: no process of this name lives. Processes in other spaces of numbers
// (containers) are not seen.
bool may_live(const std::string& name);

}  // namespace mazur
