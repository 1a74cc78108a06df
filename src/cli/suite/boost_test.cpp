// Boost.Test, since 1.59: linked with its library, shared or static, or included as a whole.
#include <algorithm>
#include <vector>

#include "cli/suite/framework.h"
#include "modules/elf_file.h"

namespace mazur {
namespace {

bool has_boost_test(const ElfFile& file) {
  for (const std::string_view library : file.needed())
    if (library.starts_with("libboost_unit_test_framework")) return true;
  return file.mentions("N5boost9unit_test") && file.mentions("list_content");
}

// A unit in the tree of suites and cases: its level, and whether it is enabled.
struct Unit {
  std::size_t level;
  std::string_view name;
  bool enabled;
};

// Where the name in a line ends: "name*", "name*: description", and with a blank in the place of the
// star if it is disabled. Names have no star, but those of types may have blanks.
std::size_t end_of_name(std::string_view line) {
  const std::size_t star = line.find('*');
  if (star != line.npos && (star + 1 == line.size() || line[star + 1] == ':')) return star;
  if (const std::size_t description = line.find(" : "); description != line.npos)
    return description;
  return line.ends_with(' ') ? line.size() - 1 : line.npos;
}

std::vector<Unit> units_in(std::string_view listed) {
  constexpr std::size_t kIndent = 4;
  std::vector<Unit> units;
  for (std::string_view line : lines_of(listed)) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == line.npos || indent % kIndent != 0) continue;
    line.remove_prefix(indent);
    const std::size_t end = end_of_name(line);
    const std::size_t level = indent / kIndent;
    const std::size_t deepest = units.empty() ? 0 : units.back().level + 1;
    if (end == 0 || end == line.npos || level > deepest) continue;
    units.push_back({level, line.substr(0, end), line[end] == '*'});
  }
  return units;
}

std::vector<TestCase> boost_cases(std::string_view listed, std::span<const std::string>) {
  const std::vector<Unit> units = units_in(listed);
  std::vector<TestCase> cases;
  std::vector<const Unit*> path;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const Unit& unit = units[i];
    path.resize(unit.level);
    path.push_back(&unit);
    if (i + 1 < units.size() && units[i + 1].level > unit.level) continue;  // a suite
    TestCase test;
    bool enabled = true;
    for (const Unit* above : path) {
      if (!test.name.empty()) test.name += '/';
      test.name += above->name;
      enabled = enabled && above->enabled;
    }
    if (!enabled) test.left_out = "disabled";
    cases.push_back(std::move(test));
  }
  return cases;
}

// Failed checks are seen as they are printed; signals are not Boost's.
std::vector<std::string> boost_selection(const TestCase& test, bool) {
  return {"--run_test=" + test.name, "--catch_system_errors=no", "--color_output=no",
          "--log_sink=stdout",       "--log_format=HRF",         "--log_level=error"};
}

}  // namespace

const Framework& boost_test() {
  static const Framework framework{
      .name = "Boost.Test",
      .option = "boost",
      .is_in = has_boost_test,
      .listing = {"--list_content=HRF", "--color_output=no"},
      .cases_in = boost_cases,
      .selection = boost_selection,
      .allows_failures = true,
  };
  return framework;
}

}  // namespace mazur
