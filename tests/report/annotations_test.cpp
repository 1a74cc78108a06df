#include "report/machines/annotations.h"

#include <gtest/gtest.h>

#include "results.h"

namespace mazur {
namespace {

// What the runner of GitHub reads from a line.
struct Command {
  std::string name, message;
  std::map<std::string, std::string> properties;
};

std::string unescaped(std::string text, bool property) {
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [code, meant] :
       {Pair{"%0D", "\r"}, {"%0A", "\n"}, {"%3A", ":"}, {"%2C", ","}, {"%25", "%"}}) {
    if (!property && (meant == ":" || meant == ",")) continue;
    for (std::size_t at = 0; (at = text.find(code, at)) != std::string::npos; at += 1)
      text.replace(at, code.size(), meant);
  }
  return text;
}

std::vector<Command> commands_of(const std::string& text) {
  std::vector<Command> commands;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.starts_with("::")) << line;
    const std::size_t end = line.find("::", 2);
    const std::size_t space = line.find(' ');
    EXPECT_TRUE(end != std::string::npos && space < end) << line;
    Command command{line.substr(2, space - 2), unescaped(line.substr(end + 2), false), {}};
    std::istringstream properties(line.substr(space + 1, end - space - 1));
    for (std::string one; std::getline(properties, one, ',');) {
      const std::size_t equals = one.find('=');
      EXPECT_NE(equals, std::string::npos) << line;
      command.properties[one.substr(0, equals)] = unescaped(one.substr(equals + 1), true);
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

TEST(Annotations, AreOneLineEachWhateverTheyTell) {
  std::vector<ReportedResult> all;
  for (const Result& result : all_results()) all.push_back(reported(result));
  const std::string text = github_annotations(all, "/some");
  for (const char c : text)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t') << int{c};
  // Each bug has a line; in hostile results errors come beside any verdict.
  const std::vector<Command> commands = commands_of(text);
  EXPECT_EQ(commands.size(), 1 + 5 + 2 * 3 + 1u) << text;
  for (const Command& command : commands) {
    EXPECT_TRUE(command.name == "error" || command.name == "warning") << command.name;
    for (const auto& [key, value] : command.properties)
      EXPECT_TRUE(key == "file" || key == "line" || key == "title") << key;
  }
}

TEST(Annotations, NameTheFileFromTheRepository) {
  ReportedResult result = reported(sample_result(Verdict::kBug));
  const auto file = [&result](std::string_view workspace) {
    return commands_of(github_annotations({&result, 1}, workspace)).at(0).properties["file"];
  };
  EXPECT_EQ(file(""), "bank.cpp");
  EXPECT_EQ(file("/somewhere"), "bank.cpp");
  EXPECT_EQ(file("/somewhere/"), "bank.cpp");
  EXPECT_EQ(file("/"), "somewhere/bank.cpp");
  EXPECT_EQ(file("/elsewhere"), "/somewhere/bank.cpp");
  result.errors[0].place.file = "a,b:c%d::e.cpp";
  EXPECT_EQ(file("/somewhere"), "a,b:c%d::e.cpp");
  const Command command = commands_of(github_annotations({&result, 1}, "")).at(0);
  EXPECT_EQ(command.name, "error");
  EXPECT_EQ(command.properties.at("line"), "13");
  EXPECT_EQ(command.properties.at("title"), "Deadlock (bank.cpp)");
  EXPECT_TRUE(command.message.starts_with("deadlock: thread 1 waits")) << command.message;
  EXPECT_TRUE(command.message.ends_with("\nSee it again: mazur replay bank-1.trace"));
}

// What is escaped is what the runner takes back, no more and no less.
TEST(Annotations, TellMessagesAsTheyAre) {
  ReportedResult result = reported(sample_result(Verdict::kBug));
  result.errors[0] = {};
  result.errors[0].kind = "assertion";
  result.errors[0].message = "100% of %0A and %253A: ::error::x, y\nsecond line";
  result.program = "a%3A:b,c";
  const Command command = commands_of(github_annotations({&result, 1}, "")).at(0);
  EXPECT_EQ(command.message, result.errors[0].message);
  EXPECT_EQ(command.properties.at("title"), "Assertion failed (a%3A:b,c)");
}

TEST(Annotations, WarnAboutWhatIsIncomplete) {
  const ReportedResult incomplete = reported(sample_result(Verdict::kIncomplete));
  EXPECT_EQ(github_annotations({&incomplete, 1}, ""),
            "::warning title=incomplete (bank.cpp)::incomplete: no error found, but there is a "
            "reason\n");
  const ReportedResult verified = reported(sample_result(Verdict::kVerified));
  EXPECT_EQ(github_annotations({&verified, 1}, ""), "");
}

}  // namespace
}  // namespace mazur
