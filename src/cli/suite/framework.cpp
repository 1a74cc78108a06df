#include "cli/suite/framework.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/usage.h"
#include "modules/elf_file.h"

namespace mazur {

std::span<const Framework* const> frameworks() {
  static const Framework* const all[] = {&google_test(), &catch2(), &catch3(), &doctest(),
                                         &boost_test()};
  return all;
}

const Framework* framework_of(std::span<const char> program) {
  const ElfFile file(program);
  std::vector<std::string_view> names;
  const Framework* found = nullptr;
  for (const Framework* framework : frameworks()) {
    if (!framework->is_in(file)) continue;
    found = framework;
    names.push_back(framework->name);
  }
  if (names.size() > 1)
    throw UsageError(
        fmt::format("the program has {}: say which of them runs its tests, with --framework=NAME.",
                    fmt::join(names, " and ")));
  return found;
}

std::vector<std::string> with_words(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& words) {
  std::vector<std::string> all = arguments;
  all.insert(std::ranges::find(all, "--"), words.begin(), words.end());
  return all;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace mazur
