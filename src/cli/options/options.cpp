#include "cli/options/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace mazur {
namespace {

std::vector<std::string_view> names(const std::vector<OptionRow>& rows) {
  std::vector<std::string_view> result{"help"};
  for (const OptionRow& row : rows) result.push_back(row.name);
  return result;
}

}  // namespace

Words parse_rows(std::string_view command, const std::vector<OptionRow>& rows,
                 const std::vector<std::string>& arguments) {
  Words result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--") {
      result.after.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (!word.starts_with("--")) {
      result.words.push_back(word);
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (name == "help") {
      result.help = true;
      continue;
    }
    const OptionRow* row = nullptr;
    for (const OptionRow& candidate : rows)
      if (candidate.name == name) row = &candidate;
    if (row == nullptr)
      throw UsageError(fmt::format("unknown option --{} for '{}'.{}", name, command,
                                   suggestion(name, names(rows), "--")));
    std::string value;
    if (row->value.empty()) {
      if (equals != std::string::npos)
        throw UsageError(fmt::format("option --{} takes no value.", name));
    } else if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < arguments.size() && arguments[i + 1] != "--") {
      value = arguments[++i];
    } else {
      throw UsageError(fmt::format("option --{} needs a value: --{}={}.", name, name, row->value));
    }
    row->set(value);
  }
  return result;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    // A dash at the start of a line would begin a list in Markdown.
    const bool fits = !lines.empty() && lines.back().size() + 1 + word.size() <= width;
    if (fits || (!lines.empty() && word == "-"))
      lines.back().append(" ").append(word);
    else
      lines.emplace_back(word);
  }
  return lines;
}

std::string help_rows(const std::vector<OptionRow>& rows) {
  constexpr std::size_t kWidth = 100;
  constexpr std::size_t kColumn = 32;  // where the help begins
  std::string text;
  for (const OptionRow& row : rows) {
    std::string left = fmt::format("  --{}{}{}", row.name, row.value.empty() ? "" : "=", row.value);
    if (left.size() > kColumn - 2) {
      text += left + "\n";
      left.clear();
    }
    for (const std::string& line : wrapped(row.help, kWidth - kColumn)) {
      text += fmt::format("{:<{}}{}\n", left, kColumn, line);
      left.clear();
    }
  }
  return text;
}

std::uint64_t parse_count(std::string_view option, const std::string& value, std::uint64_t least) {
  std::uint64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (value.empty() || stop != end || error != std::errc{} || number < least)
    throw UsageError(fmt::format("--{} takes a whole number{}, not '{}'.", option,
                                 least > 0 ? fmt::format(" of at least {}", least) : "", value));
  return number;
}

double parse_seconds(std::string_view option, const std::string& value) {
  double number = 0;
  const char* end = value.data() + value.size();
  auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc{} && stop != end) {
    const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
    const double factor = unit == "s"                    ? 1
                          : unit == "ms"                 ? 1e-3
                          : unit == "m" || unit == "min" ? 60
                          : unit == "h"                  ? 3600
                                                         : 0;
    if (factor != 0) stop = end;
    number *= factor;
  }
  if (value.empty() || stop != end || error != std::errc{} || !std::isfinite(number) || number < 0)
    throw UsageError(
        fmt::format("--{} takes a time such as 10, 2.5s or 5m, not '{}'.", option, value));
  return number;
}

std::size_t parse_one_of(std::string_view option, const std::string& value,
                         std::span<const std::string_view> allowed) {
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (allowed[i] == value) return i;
  throw UsageError(fmt::format("--{} takes {}, not '{}'.{}", option, fmt::join(allowed, ", "),
                               value, suggestion(value, allowed)));
}

}  // namespace mazur
