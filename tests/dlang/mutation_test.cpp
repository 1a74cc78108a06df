// Thousands of damaged programs: the parser neither crashes nor hangs.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "cli/spawn.h"
#include "machine/dlang/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace mazur::dlang {
namespace {

int fuzz(const std::string& text) {
  return LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

std::vector<std::string> examples() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(EXAMPLES))
    texts.push_back(contents_of(entry.path().string()));
  std::sort(texts.begin(), texts.end());
  return texts;
}

// Deletes, repeats, exchanges or inserts a piece.
void damage(std::string& text, const std::vector<std::string>& texts, std::mt19937_64& random) {
  static constexpr std::string_view kPieces[] = {
      "<{",    "}>",      "<{ 3 ",  "$",      "[",        "]",          "{",
      "}",     "(",       ")",      "if ",    ":=",       "==",         "then ",
      "else ", "while ",  "<",      ">",      "-",        "9999999999", "local ",
      "%0",    "\"",      "//",     "\n",     "\0x",      ",",          "x",
      "[x]",   "assert ", "await ", "0 ",     "indexer(", "lock ",      "18446744073709551616",
      "\xff",  "const ",  "/",      "mutex ", "1$"};
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = std::min(text.size() - at, below(12));
  switch (below(5)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(below(text.size() + 1), text.substr(at, length * 4));
      break;
    case 2:
      text.insert(at, kPieces[below(std::size(kPieces))]);
      break;
    case 3:
      text.replace(at, length, kPieces[below(std::size(kPieces))]);
      break;
    default: {
      const std::string& other = texts[below(texts.size())];
      text.insert(at, other.substr(below(other.size()), below(60)));
    }
  }
}

TEST(Mutation, DamagedProgramsAreRefusedOrRun) {
  const auto texts = examples();
  ASSERT_GE(texts.size(), 10u);
  std::mt19937_64 random(7);
  int good = 0, bad = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = texts[static_cast<std::size_t>(i) % texts.size()];
    for (auto n = random() % 4; n-- > 0;) damage(text, texts, random);
    ++(fuzz(text) != 0 ? good : bad);
  }
  EXPECT_GT(good, 4000);
  EXPECT_GT(bad, 4000);
}

TEST(Mutation, EveryPrefixOfAProgram) {
  for (const std::string& text : examples())
    for (std::size_t size = 0; size < text.size(); ++size) fuzz(text.substr(0, size));
}

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Mutation, DeepAndLongProgramsAreRefused) {
  const std::string head = "<1, x 1>[x := ";
  for (const std::string& text :
       {head + repeated("(", 100000), head + repeated("x[", 100000), head + repeated("-", 100000),
        "<1, x 1>[" + repeated("if x == 0 then {", 50000), repeated("<{", 100000),
        "<1, x 1><{10000 " + repeated(" ", 100000) + "}>[]", std::string("<{99999999 [] }>"),
        "<1, x 1>[" + repeated("<{10000 x := x}>", 1000) + "]", repeated("x", 2000000),
        "<1, x 1>[x := " + repeated("9", 1000000) + "]"})
    EXPECT_EQ(fuzz(text), 0);
}

TEST(Mutation, LongProgramsRun) {
  EXPECT_EQ(fuzz("<1, x 1>[x := 1" + repeated(" + 1", 50000) + "]"), 1);
  EXPECT_EQ(fuzz("<256, x 1> <{256 [x := $] }>"), 1);
  EXPECT_EQ(fuzz("<1, x 1>[x := " + repeated("(", 90) + "1" + repeated(")", 90) + "]"), 1);
}

}  // namespace
}  // namespace mazur::dlang
