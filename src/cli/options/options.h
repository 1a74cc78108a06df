// Options as data: every option of a command is one row of its table; parsing, --help and the
// error sentences come from there.
//
// Options start with two dashes. What starts with one is left in place with the other words: for
// `check` these are the compiler's flags, which is why a general option parser would not do.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/usage.h"

namespace mazur {

// One option that is stored in a `Target`.
template <typename Target>
struct Option {
  std::string_view name;   // without the dashes
  std::string_view value;  // what its value is called in the help; empty for a switch
  std::string_view help;   // one line, with the default
  // Stores the value ("" for a switch). May throw UsageError.
  std::function<void(Target&, const std::string&)> set;
};

struct Words {
  std::vector<std::string> words;  // all that is no option, in order
  std::vector<std::string> after;  // what follows "--"
  bool help = false;
};

// An option without its target: what parsing and help need.
struct OptionRow {
  std::string_view name, value, help;
  std::function<void(const std::string&)> set;
};

Words parse_rows(std::string_view command, const std::vector<OptionRow>& rows,
                 const std::vector<std::string>& arguments);
// The rows as lines of at most 100 characters.
std::string help_rows(const std::vector<OptionRow>& rows);
// The text in lines of at most `width` characters, broken between words.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// Stores the options among `arguments` in `target` and returns the rest. `command` is what the user
// called, for the error sentences.
template <typename Target>
Words parse_options(std::string_view command, const std::vector<Option<Target>>& table,
                    const std::vector<std::string>& arguments, Target& target) {
  std::vector<OptionRow> rows;
  for (const auto& option : table)
    rows.push_back({option.name, option.value, option.help,
                    [&option, &target](const std::string& value) { option.set(target, value); }});
  return parse_rows(command, rows, arguments);
}

// The table as lines of --help.
template <typename Target>
std::string option_help(const std::vector<Option<Target>>& table) {
  std::vector<OptionRow> rows;
  for (const auto& option : table) rows.push_back({option.name, option.value, option.help, {}});
  rows.push_back({"help", "", "this text", {}});
  return help_rows(rows);
}

// Values. Each throws UsageError, naming the option and what it takes.
std::uint64_t parse_count(std::string_view option, const std::string& value,
                          std::uint64_t least = 0);
double parse_seconds(std::string_view option, const std::string& value);
// The place of the value among those allowed.
std::size_t parse_one_of(std::string_view option, const std::string& value,
                         std::span<const std::string_view> allowed);

}  // namespace mazur
