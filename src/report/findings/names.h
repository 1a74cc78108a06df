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
FailureKind find_kind(std::string_view name);     // kNone: there is none of this name
std::string_view kind_heading(FailureKind kind);  // "Data race", for people
// One sentence that says what this is, for readers who have not met it.
std::string_view kind_meaning(FailureKind kind);

std::string thread_name(ThreadId thread);  // "main", "thread 2"
std::string hex(std::uint64_t value);

}  // namespace mazur
