// doctest, since 2.0.
#include <algorithm>
#include <set>

#include "cli/suite/framework.h"
#include "modules/elf_file.h"

namespace mazur {
namespace {

bool has_doctest(const ElfFile& file) {
  return file.mentions("[doctest] ") && file.mentions("list-test-cases");
}

bool is_rule(std::string_view line) {
  return line.size() > 70 && line.find_first_not_of('=') == line.npos;
}

// The names stand between two lines, below a heading. Several cases may have one name.
std::vector<TestCase> doctest_cases(std::string_view listed, std::span<const std::string>) {
  std::vector<TestCase> cases;
  std::set<std::string_view> names;
  bool listing = false;
  int rules = 0;
  for (const std::string_view line : lines_of(listed)) {
    if (line == "[doctest] listing all test case names")
      listing = true;
    else if (listing && is_rule(line))
      ++rules;
    else if (rules == 1 && names.insert(line).second)
      cases.push_back({.name = std::string(line),
                       .left_out = line.empty() ? "without a name it cannot be run alone" : ""});
  }
  return cases;
}

// A filter is a glob, and a comma separates two of them: what would not stand for itself becomes any
// character.
std::vector<std::string> doctest_selection(const TestCase& test, bool stops) {
  std::string glob = test.name;
  std::ranges::replace_if(
      glob, [](char c) { return c == ',' || c == '\\' || c == '"' || c == '*'; }, '?');
  return {"--dt-test-case=" + glob, "--dt-case-sensitive=true", "--dt-no-colors=true",
          stops ? "--dt-no-breaks=false" : "--dt-no-breaks=true"};
}

}  // namespace

const Framework& doctest() {
  static const Framework framework{
      .name = "doctest",
      .option = "doctest",
      .is_in = has_doctest,
      .listing = {"--dt-list-test-cases", "--dt-no-colors=true"},
      .cases_in = doctest_cases,
      .selection = doctest_selection,
      .allows_failures = true,
  };
  return framework;
}

}  // namespace mazur
