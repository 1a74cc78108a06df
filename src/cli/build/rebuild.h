// How `mazur replay` comes to a program, from a trace file that anybody may have written.
//
// What a trace file says is data. The commands are made here, of flags that are known to run and
// load nothing (known_flags.h). And because the program itself then runs, so much of it as the
// trace file chooses must be the user's own: the sources (or the executable) lie below the current
// folder and are as they were when the trace was written. Otherwise the user is shown what would
// run, and asked. docs/security.md has the whole argument.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/build/build.h"
#include "report/findings/trace_file.h"

namespace mazur {

// What a replay would run, and why somebody should look at it first.
struct ReplayPlan {
  Build build;                        // empty: the program is built already
  std::filesystem::path program;      // of one that is built already: all links followed
  std::vector<std::string> doubts;    // each a clause: "'a.cpp' has changed since ..."
  std::vector<std::string> commands;  // as a shell would take them; printable
};

// Reads the files that the trace names, and runs nothing. Throws UsageError with one sentence if
// the program must not be built from this file at all.
ReplayPlan plan_replay(const TraceFile& file, const std::string& name,
                       const Installation& installation);

// Shows the plan if there are doubts, and asks if there is somebody to ask. Returns if it may go
// on; throws UsageError otherwise. `agreed`: the user has said so on the command line.
void require_consent(const ReplayPlan& plan, const std::string& name, bool agreed);

}  // namespace mazur
