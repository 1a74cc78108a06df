// The language: what is a program, and what is said about what is none.
#include <gtest/gtest.h>

#include "explored.h"
#include "machine/dlang/lexer.h"

namespace mazur::dlang {
namespace {

// "line:column: message", or "" for a program.
std::string complaint(std::string_view text) {
  try {
    parse(text);
    return "";
  } catch (const SyntaxError& e) {
    return std::to_string(e.at().line) + ":" + std::to_string(e.at().column) + ": " + e.what();
  }
}

TEST(Lexer, RepetitionBlocksAreWrittenOutBeforeAnythingElse) {
  std::string text;
  for (const Token& token : tokens("a <{3 x$ 1$ [$] }> b")) text += token.text + " ";
  EXPECT_EQ(text, "a x0 10 [ 0 ] x1 11 [ 1 ] x2 12 [ 2 ] b  ");
  EXPECT_EQ(tokens("a <{0 x }> b").size(), 3u);
  EXPECT_EQ(tokens("<{2 y // }> is in a comment\n }>").size(), 3u);
}

TEST(Lexer, KnowsWhereItIs) {
  const auto all = tokens("<1,\n  // x\n  abc 7\n>");
  ASSERT_EQ(all.size(), 7u);
  EXPECT_EQ(all[3].text, "abc");
  EXPECT_EQ(all[3].at, (Position{3, 3}));
  EXPECT_EQ(all[4].at, (Position{3, 7}));
  EXPECT_EQ(all[5].at, (Position{4, 1}));
}

TEST(Parser, TakesTheListingsOfTheThesis) {
  EXPECT_EQ(
      complaint("<\"readers-writers\" 21, x 1, l 20>\n[x := 42]\n<{20\n  [\n    if l[$] == 0\n"
                "    if x == 0\n  ]\n}>\n"),
      "");
  EXPECT_EQ(complaint("<2, x 1,>[x := 1][while x < 3 { x := x + 1 }]"), "");
  EXPECT_EQ(complaint("<1, t 9, const n 1 9, local m 1, local w 1, local h 1>"
                      "[indexer(n, n, m, w, h, t, 3)]"),
            "");
}

TEST(Parser, KeepsWhatIsDeclared) {
  const Program p = parse("<\"p\" 1, a 3 4 5, local i 2 -7, const c 1 9, mutex m 2> [a[1] := c]");
  EXPECT_EQ(p.name, "p");
  ASSERT_EQ(p.arrays.size(), 4u);
  EXPECT_EQ(p.arrays[0].initial, (std::vector<std::int64_t>{4, 5, 0}));
  EXPECT_EQ(p.arrays[1].initial, (std::vector<std::int64_t>{-7, 0}));
  EXPECT_EQ(p.arrays[1].storage, Storage::kLocal);
  EXPECT_EQ(p.arrays[2].storage, Storage::kConst);
  EXPECT_EQ(p.arrays[3].storage, Storage::kMutex);
  EXPECT_EQ(p.globals, 3u);
  EXPECT_EQ(p.locals, 2u);
  EXPECT_EQ(p.object_name(element_id(1)), "a[1]");
  EXPECT_EQ(p.object_name(mutex_id(1)), "m[1]");
  EXPECT_EQ(p.object_name(element_id(99)), "");
}

TEST(Parser, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(complaint(""), "1:1: '<' is missing before the end of the program");
  EXPECT_EQ(complaint("<1, x 1>\n[\n  y := 1\n]"), "3:3: there is no variable 'y'");
  EXPECT_EQ(complaint("<1, x 1>\n[x := x-1]"),
            "2:7: there is no variable 'x-1' (a name may contain '-': write spaces around an "
            "operator)");
  EXPECT_EQ(complaint("<1, x 1, x 2>[x := 1]"), "1:10: 'x' is declared twice");
  EXPECT_EQ(complaint("<2, x 1>[x := 1]"),
            "1:2: the program is said to have 2 processes, but has 1");
  EXPECT_EQ(complaint("<1, x 1>[x := 1][x := 1]"),
            "1:17: there are more processes than the 1 announced");
  EXPECT_EQ(complaint("<1, x 3>[x := 1]"), "1:10: 'x' has 3 elements: say which, as in 'x[0]'");
  EXPECT_EQ(complaint("<1, x 3>[x[3] := 1]"), "1:11: index 3 is out of range: 'x' has 3 elements");
  EXPECT_EQ(complaint("<1, x 1 1 2>[x := 1]"), "1:11: 'x' has more values than elements");
  EXPECT_EQ(complaint("<1, const x 1>[x := 1]"), "1:16: 'x' is const and cannot be assigned");
  EXPECT_EQ(complaint("<1, x 1>[if x then { }]"),
            "1:15: a comparison (<, >, ==, !=, <=, >=) is missing before 'then'");
  EXPECT_EQ(complaint("<1, x 1>[x := ]"), "1:15: a value is missing before ']'");
  EXPECT_EQ(complaint("<1, x 1>[x := 1"), "1:16: ']' is missing at the end of the program");
  EXPECT_EQ(complaint("<1, x 1>[x = 1]"), "1:12: ':=' is missing before '='");
  EXPECT_EQ(complaint("<1, x 1>[x := 99999999999999999999]"),
            "1:15: the number 99999999999999999999 is too large");
  EXPECT_EQ(complaint("<1, if 1>[]"), "1:5: 'if' is a word of the language and no name");
  EXPECT_EQ(complaint("<1, x 1>[else]"), "1:10: a statement cannot start with 'else'");
  EXPECT_EQ(complaint("<0>"), "1:2: a program has at least one process");
  EXPECT_EQ(complaint("<1, x 0>[]"), "1:7: 'x' needs at least one element");
  EXPECT_EQ(complaint("<1, x 1>[x := 1;]"), "1:16: ';' has no meaning here");
  EXPECT_EQ(complaint("<1, \"x\" 1>[]"), "1:5: a name is missing before a string");
}

TEST(Parser, SaysWhatIsWrongWithRepetitions) {
  EXPECT_EQ(complaint("<1, x 1>[x := $]"),
            "1:15: '$' has a meaning only inside of a repetition block");
  EXPECT_EQ(complaint("<1>\n<{2 []"), "2:1: this repetition block has no end: '}>' is missing");
  EXPECT_EQ(complaint("<1> [] }>"), "1:8: '}>' ends a repetition block, but none was begun");
  EXPECT_EQ(complaint("<1> <{2 <{2 []}> }>"),
            "1:9: a repetition block cannot be inside of another one");
  EXPECT_EQ(complaint("<1> <{x []}>"),
            "1:7: a repetition block starts with how often: '<{ 3 ... }>'");
  // In the second repetition, at its place in the text.
  EXPECT_EQ(complaint("<2, x 1>\n<{2\n  [x[$] := 1]\n}>"),
            "3:5: index 1 is out of range: 'x' has 1 element");
}

TEST(Parser, SaysWhatIsWrongWithExtensions) {
  EXPECT_EQ(complaint("<1, x 1>[lock x]"), "1:15: 'x' is no mutex");
  EXPECT_EQ(complaint("<1, x 1, mutex m 2>[lock m]"),
            "1:26: 'm' has 2 elements: say which, as in 'm[0]'");
  EXPECT_EQ(complaint("<1, x 1, mutex m 2>[lock m[x]]"),
            "1:26: which mutex it is must not depend on global variables");
  EXPECT_EQ(complaint("<1, x 1, mutex m 1>[x := m]"), "1:26: 'm' is a mutex and has no value");
  const std::string await =
      "an await compares one global variable with a local value, as in 'await x == 1'";
  EXPECT_EQ(complaint("<1, x 1, y 1>[await x == y]"), "1:21: " + await);
  EXPECT_EQ(complaint("<1, x 1>[await x + 1 == 2]"), "1:16: " + await);
  EXPECT_EQ(complaint("<1, local x 1>[await x == 1]"), "1:22: " + await);
  EXPECT_EQ(complaint("<1, x 1, t 5, local i 1>[indexer(x, i, i, i, i, t, 1)]"),
            "1:34: 'x' must be local or const here");
  EXPECT_EQ(complaint("<1, const c 1, t 5, local i 1>[indexer(c, c, c, i, i, t, 1)]"),
            "1:46: 'c' must be a local variable here");
}

}  // namespace
}  // namespace mazur::dlang
