// The result for people.
#pragma once

#include <string>

#include "report/findings/finding.h"

namespace mazur {

struct TextStyle {
  bool color = false;
  bool verbose = false;           // all frames, all steps
  bool output = true;             // show what the program printed
  bool findings = true;           // show the errors, not only their number
  std::string command = "mazur";  // how the reader calls Mazur
  std::size_t width = 0;          // of the terminal; 0: lines are not cut
};

// The verdict with the counts, after the errors.
std::string text_report(const Result& result, const TextStyle& style);

// One error: what it is, where, how it came to it, and how to see it again.
std::string text_finding(const Finding& finding, const TextStyle& style);

// "12,345"
std::string with_commas(std::uint64_t number);

}  // namespace mazur
