// The words for verdicts and errors in reports, JSON and exit codes.
#pragma once

#include <string>
#include <string_view>

#include "protocol/bounds.h"
#include "protocol/verdict.h"
#include "trace/failure.h"

namespace mazur {

std::string_view verdict_name(Verdict verdict);  // "verified", ...
int exit_code(Verdict verdict);

std::string_view kind_name(FailureKind kind);     // "data-race", as in JSON
std::string_view kind_heading(FailureKind kind);  // "Data race", for people

std::string thread_name(ThreadId thread);  // "main", "thread 2"
std::string hex(std::uint64_t value);

}  // namespace mazur
