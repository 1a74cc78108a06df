// --filter: which cases of a suite are wanted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/suite/framework.h"

namespace mazur {

// `*` stands for any characters, `?` for one.
bool matches_glob(std::string_view pattern, std::string_view name);

// The cases that one of the filters wants, in their order; all of them if there are no filters. A
// filter is a glob for the whole name, or with a dash before it one for cases that are not wanted.
// Where the framework has lists, a filter is what --gtest_filter takes. Throws UsageError, with the
// nearest names, if a pattern has no case.
std::vector<TestCase> wanted(const std::vector<TestCase>& cases,
                             const std::vector<std::string>& filters, const Framework* framework);

}  // namespace mazur
