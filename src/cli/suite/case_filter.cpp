#include "cli/suite/case_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/usage.h"

namespace mazur {
namespace {

struct Patterns {
  std::vector<std::string> wanted, unwanted;
};

void add_list(std::vector<std::string>& patterns, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end > 0) patterns.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

Patterns patterns_in(const std::vector<std::string>& filters, bool lists) {
  Patterns patterns;
  for (const std::string_view filter : filters) {
    const std::size_t dash = lists ? filter.find('-') : filter.starts_with('-') ? 0 : filter.npos;
    const std::string_view first = filter.substr(0, dash);
    const std::string_view second = dash == filter.npos ? "" : filter.substr(dash + 1);
    if (lists) {
      add_list(patterns.wanted, first);
      add_list(patterns.unwanted, second);
    } else {
      if (!first.empty()) patterns.wanted.emplace_back(first);
      if (!second.empty()) patterns.unwanted.emplace_back(second);
    }
  }
  return patterns;
}

bool matches_any(const std::vector<std::string>& patterns, const TestCase& test) {
  return std::ranges::any_of(
      patterns, [&test](const std::string& pattern) { return matches_glob(pattern, test.name); });
}

// What may have been meant: names, and for GoogleTest whole suites.
std::string nearest_names(const std::string& pattern, const std::vector<TestCase>& cases,
                          bool suites) {
  std::set<std::string> names;
  for (const TestCase& test : cases) {
    names.insert(test.name);
    if (suites) names.insert(test.name.substr(0, test.name.find('.')) + ".*");
  }
  std::vector<std::string_view> left(names.begin(), names.end()), found;
  constexpr std::size_t kMost = 3;
  while (found.size() < kMost) {
    const std::string_view best = nearest(pattern, left);
    if (best.empty()) break;
    found.push_back(best);
    std::erase(left, best);
  }
  if (!found.empty()) return fmt::format(" Did you mean {}?", fmt::join(found, ", "));
  return " --list shows the names.";
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view name) {
  // Where to go on if the last star has to take one character more.
  std::size_t star = pattern.npos, taken = 0;
  std::size_t p = 0, n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<TestCase> wanted(const std::vector<TestCase>& cases,
                             const std::vector<std::string>& filters, const Framework* framework) {
  const bool lists = framework != nullptr && framework->has_lists;
  const Patterns patterns = patterns_in(filters, lists);
  for (const std::string& pattern : patterns.wanted)
    if (std::ranges::none_of(
            cases, [&pattern](const TestCase& test) { return matches_glob(pattern, test.name); }))
      throw UsageError(fmt::format("no test case matches --filter={}.{}", pattern,
                                   nearest_names(pattern, cases, lists)));
  std::vector<TestCase> found;
  for (const TestCase& test : cases)
    if ((patterns.wanted.empty() || matches_any(patterns.wanted, test)) &&
        !matches_any(patterns.unwanted, test))
      found.push_back(test);
  if (found.empty()) throw UsageError("--filter leaves out all test cases.");
  return found;
}

}  // namespace mazur
