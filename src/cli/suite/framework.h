// Test frameworks: how their programs list their cases, and run one of them alone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mazur {

class ElfFile;

struct TestCase {
  std::string name;      // as the framework says it
  std::string left_out;  // why it is not explored; or empty
};

// One file for each; what they have in common is in framework.cpp.
struct Framework {
  std::string_view name;    // as people call it
  std::string_view option;  // as --framework takes it
  // Whether a program has it, by the names of symbols and libraries and by texts in the file.
  bool (*is_in)(const ElfFile& file);
  // The arguments with which a program lists its cases.
  std::vector<std::string> listing;
  // What it has listed then. Lines that it does not understand are somebody else's output.
  // `arguments`: those that the user gives.
  std::vector<TestCase> (*cases_in)(std::string_view listed,
                                    std::span<const std::string> arguments);
  // The arguments that run this case alone; `stops`: up to its first failed check.
  std::vector<std::string> (*selection)(const TestCase& test, bool stops);
  // A check may fail without harm: the framework itself must say that the case has failed.
  bool allows_failures = false;
  // --filter has several patterns, as --gtest_filter: A.*:B.*-B.slow
  bool has_lists = false;
};

// The user's arguments with those of the framework, which come before a "--" among the former.
std::vector<std::string> with_words(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& words);

const Framework& boost_test();
const Framework& google_test();
const Framework& catch2();  // version 2
const Framework& catch3();
const Framework& doctest();

std::span<const Framework* const> frameworks();

// The framework of a program, or null if it has none of them. Throws UsageError if it has several.
const Framework* framework_of(std::span<const char> program);

// The lines of a text, without the last line feed.
std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace mazur
