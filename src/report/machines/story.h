// An error of a reported result in words, for reports that have a place for text. Control
// characters and bytes that are no text are escaped (report/printable.h).
#pragma once

#include <string>

#include "report/machines/reported.h"

namespace mazur {

// "queue_test.cpp --items 2": what was checked, with another memory model than sc in parentheses.
std::string case_name(const ReportedResult& result);

// "Deadlock"; of a kind that is not known, its own name.
std::string heading(const ReportedError& error);

// "Deadlock at bank.cpp:21".
std::string headline(const ReportedError& error);

// "thread 1: waits for mutex bob, held by thread 2"; "" if neither is known.
std::string side_name(const ReportedError& error, const ReportedStack& stack);

// One line for each thread that takes part: where it is, and why.
std::string sides(const ReportedError& error);

// All of it, in lines: headline, message, stacks, the steps that matter, how to see it again.
std::string story(const ReportedError& error);

// "incomplete: no error found, but --time-limit was reached": for verdicts that are no bug.
std::string verdict_sentence(const ReportedResult& result);

}  // namespace mazur
