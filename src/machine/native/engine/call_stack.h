// The call stack of the running thread.
#pragma once

#include <cstdint>
#include <vector>

namespace mazur::native {

// Return addresses, innermost first, starting with the frame that `pc` lies in (0: with the first
// frame outside of the runtime). Safe on a broken stack: what cannot be walked is left out.
std::vector<std::uint64_t> call_stack(std::uint64_t pc);

// The same from a signal handler: from the interrupted instruction on.
std::vector<std::uint64_t> call_stack_at(void* signal_context);

// Whether an address is code of this shared object.
bool is_runtime_code(std::uint64_t pc);

// True while a stack is being walked; a fault then only ends the walk.
bool walking();
[[noreturn]] void stop_walking();

}  // namespace mazur::native
