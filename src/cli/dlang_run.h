// Explores and replays dlang programs, in this process.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "cli/run/progress_line.h"
#include "machine/dlang/program.h"
#include "protocol/channel.h"
#include "report/findings/finding.h"

namespace mazur {

// Whether the name is that of a dlang program.
bool is_dlang(const std::filesystem::path& file);

// A dlang program and where it came from.
struct DlangSubject {
  std::filesystem::path file;
  dlang::Program program;
};

// Throws UsageError, with line and column if the text is no program.
DlangSubject load_dlang(const std::filesystem::path& file);

// As run_program() and make_result() together: Ctrl-C ends the exploration, errors have source
// lines, the same error is listed once. Only what concerns exploring counts in the request.
Result check_dlang(const DlangSubject& subject, const Request& request, Progress progress);

// Runs the schedule once.
Result replay_dlang(const DlangSubject& subject, std::span<const Event> schedule,
                    const Request& request);

}  // namespace mazur
