#include "explore/unfolding/structure/histogram.h"

#include <cstdio>

namespace mazur::unfolding {

std::string Histogram::text() const {
  std::string text;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    const std::uint64_t last = i == 0 ? 0 : std::uint64_t{1} << (i - 1);
    const std::uint64_t first = i <= 2 ? last : last / 2 + 1;
    const std::string range =
        first == last ? std::to_string(last) : std::to_string(first) + "-" + std::to_string(last);
    char part[64];
    std::snprintf(part, sizeof part, "%s%s: %.1f%%", text.empty() ? "" : ", ", range.c_str(),
                  100.0 * static_cast<double>(counts_[i]) / static_cast<double>(total_));
    text += part;
  }
  return text.empty() ? "none" : text;
}

}  // namespace mazur::unfolding
