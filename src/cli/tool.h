// The small programs beside mazur (soaks and tables of measurements): nothing but options, read and
// explained as those of mazur are.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.h"

namespace mazur {

// For tables of which a prefix of the programs' names selects rows: throws if there were none.
inline void require_rows(bool any, std::string_view prefix) {
  if (!any) throw UsageError(fmt::format("no program's name begins with '{}'.", prefix));
}

// Reads the options into `target`, calls body() and returns its exit code; 2 after one sentence
// about what is wrong, 0 for --help.
template <typename Target, typename Body>
int run_tool(std::string_view name, std::string_view purpose,
             const std::vector<Option<Target>>& table, Target& target, int argc, char** argv,
             const Body& body) {
  try {
    const Words words = parse_options(name, table, {argv + 1, argv + argc}, target);
    if (words.help) {
      fmt::print("usage: {} [options]\n{}\n\n{}", name, purpose, option_help(table));
      return 0;
    }
    if (!words.words.empty() || !words.after.empty())
      throw UsageError(
          fmt::format("'{}' takes options only, not '{}'.", name,
                      words.words.empty() ? words.after.front() : words.words.front()));
    return body();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 2;
  }
}

}  // namespace mazur
