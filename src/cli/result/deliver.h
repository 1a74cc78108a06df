// The end of a run: its result, in all the ways that were asked for.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/common_options.h"
#include "report/findings/finding.h"
#include "report/machines/reported.h"

namespace mazur {

// Notes in the result what was checked, as the user named it, and where.
void name_subject(Result& result, const std::string& program,
                  const std::vector<std::string>& arguments);

// Throws UsageError if the result could not be written where it is wanted: before anything is run
// for it. `inputs`: files that the run needs, which must not be written over.
void require_outputs(const CommonOptions& options, const std::vector<std::string>& inputs);

// A result as reports for programs have it.
ReportedResult reported(const std::string& json);

// All reports for programs that were asked for: the JSON, and what is made from it. `suite`: what the
// results are together. Throws UsageError if one cannot be written, after the others have been.
void write_reports(const std::string& json, std::span<const ReportedResult> results,
                   std::string_view suite, const CommonOptions& options, std::FILE* people);

// Prints the text report and writes the others, each where it is wanted. Returns the exit code.
// Throws UsageError if one cannot be written, after the others have been.
int deliver(const Result& result, const CommonOptions& options);

}  // namespace mazur
