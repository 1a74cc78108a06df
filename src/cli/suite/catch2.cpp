// Catch2, versions 2 and 3: they differ in how cases are listed.
#include <algorithm>

#include "cli/suite/framework.h"
#include "modules/elf_file.h"

namespace mazur {
namespace {

constexpr std::string_view kOldListing = "--list-test-names-only";  // gone since version 3

bool has_catch(const ElfFile& file) {
  for (const std::string_view library : file.needed())
    if (library.starts_with("libCatch2.")) return true;
  return file.mentions("N5Catch15ConsoleReporterE") || file.mentions("N5Catch7SessionE");
}

bool has_catch2(const ElfFile& file) { return has_catch(file) && file.mentions(kOldListing); }
bool has_catch3(const ElfFile& file) { return has_catch(file) && !file.mentions(kOldListing); }

// A line for each. A name that would be a comment in a file of names is in quotes.
std::vector<TestCase> catch_cases(std::string_view listed, std::span<const std::string>) {
  std::vector<TestCase> cases;
  for (std::string_view line : lines_of(listed)) {
    if (line.size() > 2 && line.starts_with("\"#") && line.ends_with('"'))
      line = line.substr(1, line.size() - 2);
    if (!line.empty()) cases.push_back({.name = std::string(line), .left_out = {}});
  }
  return cases;
}

// A test specification that means this name: what has a meaning in one is escaped. A star at either
// end cannot be, and "exclude:" at the beginning becomes something else by one.
std::string specification(std::string name) {
  std::string text;
  if (name.starts_with("exclude:")) name[0] = '*';
  for (const char c : name) {
    const bool is_first = text.empty();
    if (std::string_view("\\,[\"").find(c) != std::string_view::npos ||
        (is_first && (c == '~' || c == '-')))
      text += '\\';
    text += c;
  }
  return text;
}

std::vector<std::string> catch_selection(const TestCase& test, bool stops) {
  std::vector<std::string> words = {specification(test.name)};
  if (stops) words.emplace_back("--break");
  return words;
}

// No case at all would be no error otherwise.
std::vector<std::string> catch2_selection(const TestCase& test, bool stops) {
  std::vector<std::string> words = catch_selection(test, stops);
  words.insert(words.end(), {"--warn", "NoTests"});
  return words;
}

}  // namespace

const Framework& catch2() {
  static const Framework framework{
      .name = "Catch2",
      .option = "catch2",
      .is_in = has_catch2,
      .listing = {std::string(kOldListing)},
      .cases_in = catch_cases,
      .selection = catch2_selection,
      .allows_failures = true,
  };
  return framework;
}

const Framework& catch3() {
  static const Framework framework{
      .name = "Catch2 3",
      .option = "catch3",
      .is_in = has_catch3,
      .listing = {"--list-tests", "--verbosity", "quiet"},
      .cases_in = catch_cases,
      .selection = catch_selection,
      .allows_failures = true,
  };
  return framework;
}

}  // namespace mazur
