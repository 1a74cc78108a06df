// Random programs with plain accesses (any_plain.cpp), with --races=explore: what is reached does not
// depend on which accesses are events, and loops that wait do so in every algorithm.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

#include "cli/spawn.h"
#include "every_access.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

using Words = std::vector<std::string>;

Words random_program(std::mt19937& random) {
  const auto digit = [&](unsigned below) { return std::to_string(random() % below); };
  const bool frees = random() % 2 == 0, blocks = random() % 4 == 0;
  const unsigned threads = 2 + random() % 2;
  Words words;
  for (unsigned t = 0; t < threads; ++t) {
    std::string code;
    for (unsigned length = 1 + random() % (threads == 2 ? 3 : 2); length > 0; --length) {
      static constexpr char kKinds[] = "lssciLSM";
      char kind = kKinds[random() % 8];
      if (frees && random() % 2 == 0) kind = "pwf"[random() % 3];
      if (blocks && random() % 3 == 0) kind = 'b';
      if (!code.empty()) code += ' ';
      code += kind;
      code += digit(kind == 'p' || kind == 'w' ? 2 : 1 + t % 2);
      if (std::string_view("sSwb").find(kind) != std::string_view::npos) code += digit(3);
    }
    words.push_back(code);
  }
  return words;
}

constexpr long kMostSchedules = 2'000;  // of a program; those with more are left out

struct Reached {
  std::set<std::string> states, errors;
  long complete = 0;
  bool cut = false;  // there are more executions
  std::string text;
};

Reached reach(const std::filesystem::path& program, const Words& words,
              const std::string& algorithm, long most = 300'000) {
  const Scratch folder;
  Words command{"check",
                program.string(),
                "--algorithm=" + algorithm,
                "--keep-going",
                "--quiet",
                "--no-trace",
                "--json=result.json",
                "--output=all",
                "--races=explore",
                "--minimise=0",
                "--max-executions=" + std::to_string(most),
                "--"};
  command.insert(command.end(), words.begin(), words.end());
  const MazurRun run = run_mazur(command, folder.path());
  Reached reached;
  reached.complete = run.complete();
  reached.cut = run.complete() + run.blocked() + run.assume_blocked() >= most;
  reached.text = algorithm;
  for (const std::string& word : words) reached.text += " '" + word + "'";
  std::istringstream lines(run.text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("state")) reached.states.insert(line);
  for (const auto& error : run.result["errors"]) reached.errors.insert(error["kind"]);
  EXPECT_TRUE(reached.cut || run.finished() || run.verdict() == "bug") << reached.text << run.text;
  return reached;
}

class RandomPlainPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPlainPrograms, ReachTheSameWithFewerEvents) {
  const Scratch folder;
  const auto any = build(MAZUR_TEST_SOURCES "/native/random/any_plain.cpp", {"-O1"}, folder.path());
  std::mt19937 random(GetParam());
  for (int checked = 0; checked < 12 && !HasFailure();) {
    const Words words = random_program(random);
    const Reached naive = reach(any, words, "naive", kMostSchedules);
    if (naive.cut) continue;
    ++checked;
    for (const std::string algorithm :
         {"optimal", "source", "observers", "context", "context-observers"}) {
      const Reached some = reach(any, words, algorithm);
      EXPECT_EQ(some.states, naive.states) << some.text;
      EXPECT_EQ(some.errors, naive.errors) << some.text;
      const EveryAccess every;
      const Reached all = reach(any, words, algorithm);
      EXPECT_EQ(some.states, all.states) << some.text;
      EXPECT_EQ(some.errors, all.errors) << some.text;
      // What `context` leaves out depends on more than the traces.
      if (!algorithm.starts_with("context")) {
        EXPECT_EQ(some.complete, all.complete) << some.text;
      }
    }
  }
}

// Threads that wait in loops for plain variables, and write them.
Words random_loops(std::mt19937& random) {
  const auto digit = [&](unsigned below) { return std::to_string(random() % below); };
  const unsigned threads = 2 + random() % 3;
  Words words;
  for (unsigned t = 0; t < threads; ++t) {
    std::string code;
    for (unsigned length = 1 + random() % (threads == 2 ? 3 : 2); length > 0; --length) {
      // Not m: the C library's copies begin no round (library_call.h).
      const char kind = "vVdosisil"[random() % 9];
      if (!code.empty()) code += ' ';
      code += kind;
      code += digit(random() % 3 == 0 ? 2 : 1);
      if (kind != 'i' && kind != 'l') code += digit(3);
    }
    words.push_back(code);
  }
  return words;
}

struct Build {
  const char* name;
  std::vector<std::string> flags;
};
std::ostream& operator<<(std::ostream& out, const Build& build) { return out << build.name; }

class RandomPlainLoops : public testing::TestWithParam<Build> {};

TEST_P(RandomPlainLoops, WaitAlikeInEveryAlgorithm) {
  const Scratch folder;
  const auto any =
      build(MAZUR_TEST_SOURCES "/native/random/any_plain.cpp", GetParam().flags, folder.path());
  std::mt19937 random(static_cast<unsigned>(GetParam().flags.size()));
  for (int i = 0; i < 10 && !HasFailure(); ++i) {
    const Words words = random_loops(random);
    const Reached optimal = reach(any, words, "optimal");
    const bool few = words.size() < 4 && optimal.complete <= 100;
    Words algorithms{"source", "dpor", "observers", "quasi", "lazy"};
    if (few) algorithms.push_back("naive");
    for (const std::string& algorithm : algorithms) {
      const Reached other = reach(any, words, algorithm);
      EXPECT_EQ(other.states, optimal.states) << other.text;
      EXPECT_EQ(other.errors, optimal.errors) << other.text;
      if (algorithm == "quasi" || algorithm == "lazy") {
        EXPECT_EQ(other.complete, optimal.complete) << other.text;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Plain, RandomPlainLoops,
                         testing::Values(Build{"gcc_O0", {"-O0"}},
                                         Build{"clang_O2", {"--compiler=clang", "-O2"}}),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Plain, RandomPlainPrograms, testing::Values(1u));
INSTANTIATE_TEST_SUITE_P(Thorough, RandomPlainPrograms, testing::Values(2u, 3u, 4u));

}  // namespace
}  // namespace mazur::test
