// GoogleTest, since 1.8.
#include <fmt/format.h>

#include <algorithm>

#include "cli/suite/framework.h"
#include "modules/elf_file.h"

namespace mazur {
namespace {

bool has_google_test(const ElfFile& file) {
  for (const std::string_view library : file.needed())
    if (library.starts_with("libgtest")) return true;
  // Its --help; and that it is linked into the file, where it was not stripped of its symbols.
  return file.mentions("This program contains tests written using Google Test") ||
         file.mentions("_ZN7testing8UnitTest11GetInstanceEv");
}

// "Suite" in "Suite.  # TypeParam = int"; nothing if the line names no suite.
std::string_view suite_in(std::string_view line) {
  line = line.substr(0, line.find("  #"));
  if (line.size() < 2 || !line.ends_with('.') || line.find(' ') != line.npos) return {};
  return line.substr(0, line.size() - 1);
}

// By its convention: tests that expect the process to die are in suites that are called so.
bool is_death_suite(std::string_view suite) {
  return suite.ends_with("DeathTest") || suite.find("DeathTest/") != suite.npos;
}

bool is_disabled(std::string_view name) {
  return name.starts_with("DISABLED_") || name.find("/DISABLED_") != name.npos;
}

std::vector<TestCase> cases_in(std::string_view listed, std::span<const std::string> arguments) {
  const bool all = std::ranges::any_of(arguments, [](const std::string& word) {
    return word == "--gtest_also_run_disabled_tests" || word == "--gtest_also_run_disabled_tests=1";
  });
  std::vector<TestCase> cases;
  std::string_view suite;
  for (const std::string_view line : lines_of(listed)) {
    if (!line.starts_with("  ")) {
      suite = suite_in(line);
      continue;
    }
    const std::string_view name = line.substr(2, line.find("  #", 2) - 2);
    if (suite.empty() || name.empty() || name.find(' ') != name.npos) continue;
    TestCase test{.name = fmt::format("{}.{}", suite, name), .left_out = {}};
    if (is_death_suite(suite))
      test.left_out = "a death test: it starts processes";
    else if (!all && (is_disabled(suite) || is_disabled(name)))
      test.left_out = "disabled";
    cases.push_back(std::move(test));
  }
  return cases;
}

// Exceptions are errors where they are thrown, not where GoogleTest catches them.
std::vector<std::string> selection(const TestCase& test, bool stops) {
  std::vector<std::string> words = {"--gtest_filter=" + test.name, "--gtest_catch_exceptions=0",
                                    "--gtest_color=no"};
  if (stops) words.emplace_back("--gtest_break_on_failure");
  return words;
}

}  // namespace

const Framework& google_test() {
  static const Framework framework{.name = "GoogleTest",
                                   .option = "googletest",
                                   .is_in = has_google_test,
                                   .listing = {"--gtest_list_tests"},
                                   .cases_in = cases_in,
                                   .selection = selection,
                                   .allows_failures = false,
                                   .has_lists = true};
  return framework;
}

}  // namespace mazur
