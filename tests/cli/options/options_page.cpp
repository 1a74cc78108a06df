#include "options_page.h"

#include <string_view>

#include "cli/options/option_tasks.h"

namespace mazur {

std::string with_options_list(const std::string& page) {
  constexpr std::string_view kBegin = "<!-- options: begin";
  constexpr std::string_view kEnd = "<!-- options: end -->";
  const std::size_t marker = page.find(kBegin);
  const std::size_t begin = page.find('\n', marker);
  const std::size_t end = page.find(kEnd);
  if (marker == std::string::npos || begin == std::string::npos || end == std::string::npos ||
      end < begin)
    return page;
  return page.substr(0, begin + 1) + "\n" + check_options_as_markdown() + "\n" + page.substr(end);
}

}  // namespace mazur
