#include "cli/build/toolchain.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mazur {
namespace {

const Installation kInstallation{"/prefix/bin/mazur", "/prefix/lib/mazur", "/prefix/include"};

std::vector<std::string> command(Compiler compiler, std::vector<std::string> words) {
  return compiler_command(compiler, Language::kCxx, words, kInstallation);
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(Toolchain, QuestionsPassUnchanged) {
  for (const char* question :
       {"--version", "-v", "-dumpversion", "-dumpmachine", "-print-prog-name=ld", "--help", "-###"})
    EXPECT_EQ(command(Compiler::kGcc, {question, "x.cpp"}),
              (std::vector<std::string>{"g++", question, "x.cpp"}));
  EXPECT_EQ(command(Compiler::kClang, {}), std::vector<std::string>{"clang++"});
  EXPECT_EQ(command(Compiler::kGcc, {"-o", "x"}), (std::vector<std::string>{"g++", "-o", "x"}));
}

TEST(Toolchain, LinkFlagsOnlyWhenLinking) {
  for (const char* mode : {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"}) {
    EXPECT_FALSE(has(command(Compiler::kGcc, {mode, "x.cpp"}), "-Wl,-z,now")) << mode;
    EXPECT_FALSE(has(command(Compiler::kClang, {mode, "x.cpp"}), "/prefix/lib/mazur/libtsan.so.2"));
  }
  EXPECT_TRUE(has(command(Compiler::kGcc, {"-MD", "x.cpp"}), "-Wl,-z,now"));
  EXPECT_TRUE(has(command(Compiler::kClang, {"x.o"}), "/prefix/lib/mazur/libtsan.so.2"));
  // "-c" is a file's name here.
  EXPECT_TRUE(has(command(Compiler::kGcc, {"x.cpp", "-o", "-c"}), "-Wl,-z,now"));
}

// Whose functions a program gets is a matter of order: libatomic has some of the runtime's.
TEST(Toolchain, TheRuntimeComesBeforeLibraries) {
  const auto words = command(Compiler::kClang, {"x.o", "-latomic"});
  const auto runtime = std::find(words.begin(), words.end(), "/prefix/lib/mazur/libtsan.so.2");
  EXPECT_LT(runtime, std::find(words.begin(), words.end(), "-latomic"));
}

TEST(Toolchain, TheUsersFlagsComeAfterOurs) {
  const auto words = command(Compiler::kGcc, {"-g0", "x.cpp", "-fno-sanitize=thread"});
  const auto at = [&words](const char* word) {
    return std::find(words.begin(), words.end(), word) - words.begin();
  };
  EXPECT_LT(at("-g"), at("-g0"));
  EXPECT_LT(at("-fsanitize=thread"), at("-fno-sanitize=thread"));
}

}  // namespace
}  // namespace mazur
