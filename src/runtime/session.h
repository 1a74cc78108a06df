// One session of the runtime: explores (or replays) as the channel asks, and reports in it.
#pragma once

namespace mazur::native {

// Runs what the channel asks for and ends the process.
[[noreturn]] void run_session();

}  // namespace mazur::native
