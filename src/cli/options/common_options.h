// Options that several commands have.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.h"
#include "report/text.h"

namespace mazur {

enum class Color { kAuto, kAlways, kNever };
enum class Shown { kFailing, kAll, kNone };  // which executions' output

struct CommonOptions {
  Color color = Color::kAuto;
  bool verbose = false;
  bool quiet = false;
  Shown output = Shown::kFailing;
  // Where the result goes: a file, "-" for standard output, "" for nowhere.
  std::string json, junit, sarif;
  bool annotations = false;  // for GitHub, between what people read

  bool has_reports() const {
    return annotations || !json.empty() || !junit.empty() || !sarif.empty();
  }
  // Whether a report has standard output for itself; people read standard error then.
  bool takes_stdout() const { return json == "-" || junit == "-" || sarif == "-"; }
};

// The name of a file from the command line, or "-" for standard output. Throws UsageError.
std::string parse_output(std::string_view option, const std::string& value);

// The rows of the table that stand for CommonOptions; Target has a member `common`.
template <typename Target>
void add_common_options(std::vector<Option<Target>>& table) {
  static constexpr std::string_view kColors[] = {"auto", "always", "never"};
  static constexpr std::string_view kShown[] = {"failing", "all", "none"};
  static constexpr std::string_view kAnnotations[] = {"github"};
  table.push_back(
      {"json", "FILE", "write the result as JSON to FILE, or to standard output if it is -",
       [](Target& to, const std::string& value) { to.common.json = parse_output("json", value); }});
  table.push_back({"junit", "FILE",
                   "write it as JUnit's XML, for CI systems (- for standard output)",
                   [](Target& to, const std::string& value) {
                     to.common.junit = parse_output("junit", value);
                   }});
  table.push_back({"sarif", "FILE",
                   "write it as SARIF 2.1.0, for code scanning and editors (- likewise)",
                   [](Target& to, const std::string& value) {
                     to.common.sarif = parse_output("sarif", value);
                   }});
  table.push_back({"annotations", "github",
                   "print errors as workflow commands, which GitHub shows at their lines",
                   [](Target& to, const std::string& value) {
                     parse_one_of("annotations", value, kAnnotations);
                     to.common.annotations = true;
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

}  // namespace mazur
