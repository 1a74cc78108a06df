#include "cli/suite/test_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/options/jobs.h"
#include "cli/suite/framework.h"

namespace mazur {
namespace {

// What is about one exploration as a whole, or about one verdict.
constexpr std::array<std::string_view, 7> kOnlyOfCheck = {"first",  "ledger",   "ship",   "weaken",
                                                          "svcomp", "property", "witness"};

// The rows of `mazur check` that a case is explored with.
std::vector<Option<TestOptions>> options_for_cases() {
  std::vector<Option<TestOptions>> rows;
  for (const Option<CheckOptions>& option : check_option_table()) {
    const bool is_own = std::ranges::any_of(
        own_test_options(), [&option](const auto& own) { return own.name == option.name; });
    if (is_own || std::ranges::find(kOnlyOfCheck, option.name) != kOnlyOfCheck.end()) continue;
    rows.push_back(
        {option.name, option.value, option.help,
         [&option](TestOptions& to, const std::string& value) { option.set(to.check, value); }});
  }
  return rows;
}

std::vector<std::string_view> framework_names() {
  std::vector<std::string_view> names;
  for (const Framework* framework : frameworks()) names.push_back(framework->option);
  names.push_back("none");
  return names;
}

}  // namespace

const std::vector<Option<TestOptions>>& own_test_options() {
  using Test = TestOptions;
  static const std::string names = fmt::format("{}", fmt::join(framework_names(), "|"));
  static const std::vector<Option<TestOptions>> rows = {
      {"filter", "GLOB",
       "only cases whose whole name matches, or with a dash before it all others (repeatable); "
       "for GoogleTest as --gtest_filter",
       [](Test& to, const std::string& value) {
         if (value.empty())
           throw UsageError("--filter takes a name, or a pattern such as Queue.*.");
         to.filters.push_back(value);
       }},
      {"list", "", "only list the cases that the filter leaves",
       [](Test& to, const std::string&) { to.list = true; }},
      {"time-limit", "TIME",
       "explore each case for at most 10 (seconds), 5m, 2h; it is then bounded",
       [](Test& to, const std::string& value) {
         to.check.request.bounds.time_limit = parse_seconds("time-limit", value);
       }},
      {"total-time-limit", "TIME", "the same for all cases together; what is left is not run",
       [](Test& to, const std::string& value) {
         to.total_time_limit = parse_seconds("total-time-limit", value);
       }},
      {"jobs", "N",
       "explore N cases beside each other, also as -j N; 0: one for each core (default: 1)",
       [](Test& to, const std::string& value) { to.jobs = parse_jobs(value); }},
      {"framework", names, "the test framework (default: it is found out)",
       [](Test& to, const std::string& value) {
         const auto allowed = framework_names();
         to.framework = allowed[parse_one_of("framework", value, allowed)];
       }},
  };
  return rows;
}

TestOptions parse_test(const std::vector<std::string>& arguments, bool& help) {
  TestOptions options;
  std::vector<Option<TestOptions>> table = own_test_options();
  for (Option<TestOptions>& option : options_for_cases()) table.push_back(std::move(option));
  Words words = parse_options("mazur test", table, with_long_jobs(arguments), options);
  help = words.help;
  if (help) return options;
  settle_check(std::move(words), options.check);
  if (!options.check.model.empty())
    throw UsageError(fmt::format(
        "the dlang program '{}' has no test cases: 'mazur check' takes it.", options.check.model));
  return options;
}

std::string test_help() {
  return fmt::format(
      R"(mazur test SOURCES... [compiler flags] [options] [-- program arguments]
mazur test EXECUTABLE [options] [-- program arguments]

Explores each test case of a program by itself, as 'mazur check' would, and reports as test
frameworks do. It knows {}.
A program with none of them is one case.

{}
For each case, as in 'mazur check' ('mazur check --help' has them by task):

{}
Exit code: 0 all verified, 1 bug, 2 error, 4 unsupported, 3 incomplete, the first that applies.
)",
      [] {
        std::vector<std::string_view> names;
        for (const Framework* framework : frameworks()) names.push_back(framework->name);
        return fmt::format("{}", fmt::join(names, ", "));
      }(),
      option_help(own_test_options()), option_help(options_for_cases()));
}

}  // namespace mazur
