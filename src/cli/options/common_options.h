// Options that several commands have, and what follows from them.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "report/findings/finding.h"
#include "report/text.h"

namespace mazur {

enum class Color { kAuto, kAlways, kNever };
enum class Shown { kFailing, kAll, kNone };  // which executions' output

struct CommonOptions {
  Color color = Color::kAuto;
  bool verbose = false;
  bool quiet = false;
  Shown output = Shown::kFailing;
  std::string json;  // a file, "-" for standard output, "" for none
};

// The rows of the table that stand for CommonOptions; Target has a member `common`.
template <typename Target>
void add_common_options(std::vector<Option<Target>>& table) {
  static constexpr std::string_view kColors[] = {"auto", "always", "never"};
  static constexpr std::string_view kShown[] = {"failing", "all", "none"};
  table.push_back({"json", "FILE",
                   "write the result as JSON to FILE, or to standard output if it is -",
                   [](Target& to, const std::string& value) {
                     if (value.empty()) throw UsageError("--json takes a file name or -.");
                     to.common.json = value;
                   }});
  table.push_back({"output", "failing|all|none",
                   "which executions' output is shown (default: failing)",
                   [](Target& to, const std::string& value) {
                     to.common.output = static_cast<Shown>(parse_one_of("output", value, kShown));
                   }});
  table.push_back({"color", "auto|always|never", "colours (default: auto, on a terminal)",
                   [](Target& to, const std::string& value) {
                     to.common.color = static_cast<Color>(parse_one_of("color", value, kColors));
                   }});
  table.push_back({"verbose", "", "all frames of stacks and all steps of schedules",
                   [](Target& to, const std::string&) { to.common.verbose = true; }});
  table.push_back({"quiet", "", "only the verdict and its counts",
                   [](Target& to, const std::string&) { to.common.quiet = true; }});
}

TextStyle text_style(const CommonOptions& options, int descriptor);

// Prints the text report and writes the JSON, each where it is wanted. Returns the exit code.
int deliver(const Result& result, const CommonOptions& options);

}  // namespace mazur
