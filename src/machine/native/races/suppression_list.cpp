#include "machine/native/races/suppression_list.h"

namespace mazur::native {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  const bool from_start = pattern.starts_with('^');
  if (from_start) pattern.remove_prefix(1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  // The parts between stars have to come one after the other.
  std::size_t at = 0;
  bool anchored = from_start;
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    std::size_t found = name.find(part, at);
    if (last && to_end)
      found = name.size() >= at + part.size() && name.ends_with(part) ? name.size() - part.size()
                                                                      : std::string_view::npos;
    if (found == std::string_view::npos || (anchored && found != at)) return false;
    at = found + part.size();
    anchored = false;
    if (last) return true;
    pattern.remove_prefix(star + 1);
  }
}

std::vector<Suppression> parse_suppressions(std::string_view lines) {
  std::vector<Suppression> list;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = trimmed(lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    const std::string_view type = line.substr(0, colon);
    const std::string pattern(line.substr(colon + 1));
    if (type == "race") list.push_back({Where::kAnyFrame, pattern});
    if (type == "race_top") list.push_back({Where::kTopFrame, pattern});
    if (type == "called_from_lib") list.push_back({Where::kTopLibrary, pattern});
  }
  return list;
}

}  // namespace mazur::native
