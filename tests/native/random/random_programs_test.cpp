// The whole chain on random programs: native machine, labels, explorers. `optimal`, `source` and
// `dpor` must reach exactly the final states (with all that every thread saw) and the deadlocks
// that `naive` reaches, `optimal` without a blocked execution. Likewise every explorer on programs
// that pass messages, `observers` included: what a process saw is all that counts.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

struct Reached {
  std::set<std::string> states;
  bool deadlock = false;
  bool cut = false;  // there are more executions
  long complete = 0, blocked = 0;
  std::string text;
};

constexpr int kPrograms = 100;           // of each seed
constexpr int kActorPrograms = 20;       // likewise
constexpr long kMostSchedules = 10'000;  // of a program; those with more are left out

class RandomPrograms : public testing::TestWithParam<int> {};

using Words = std::vector<std::string>;

// One instruction; `family` keeps the operations of a program to a few kinds, so that they meet.
std::string instruction(std::mt19937& random, int family) {
  const auto digit = [&](int below) { return std::to_string(random() % below); };
  const auto one_of = [&](const char* letters) {
    return std::string(1, letters[random() % std::char_traits<char>::length(letters)]);
  };
  switch (family) {
    case 0: {
      const std::string kind = one_of("lsfc");
      if (kind == "s") return kind + digit(2) + digit(3);
      if (kind == "c") return kind + digit(2) + digit(3) + digit(3);
      return kind + digit(2);
    }
    case 1:
      return one_of("mtuu") + digit(2);
    case 2:
      return one_of("rwqQRR") + digit(1);
    case 3:
      return one_of("pPy") + digit(2);
    case 4:
      return "b";
    case 5:
      return one_of("WTgG") + digit(1);
    case 6: {
      const std::string kind = one_of("Fk");
      return kind + digit(1) + digit(3);
    }
    case 7: {
      const std::string kind = one_of("svVX");
      return kind + digit(2) + digit(2);
    }
    default:
      return "o";
  }
}

Words program(std::mt19937& random) {
  Words words{std::to_string(1 + random() % 3)};
  const int first = static_cast<int>(random() % 9), second = static_cast<int>(random() % 9);
  const int threads = 2 + static_cast<int>(random() % 2);
  for (int t = 0; t < threads; ++t) {
    const int length = 1 + static_cast<int>(random() % (threads == 2 ? 4 : 2));
    std::string code;
    for (int i = 0; i < length; ++i) {
      const int family = random() % 4 == 0 ? 0 : (random() % 2 == 0 ? first : second);
      if (!code.empty()) code += ' ';
      code += instruction(random, family);
    }
    words.push_back(code);
  }
  return words;
}

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
                "--races=ignore",
                "--max-executions=" + std::to_string(most),
                "--"};
  command.insert(command.end(), words.begin(), words.end());
  const MazurRun run = run_mazur(command, folder.path());
  Reached reached;
  reached.text = run.text.substr(0, run.text.find('\n'));
  reached.complete = run.complete();
  reached.blocked = run.blocked();
  reached.cut = run.complete() + run.blocked() + run.assume_blocked() >= most;
  std::istringstream lines(run.text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("state")) reached.states.insert(line);
  for (const auto& error : run.result["errors"]) {
    EXPECT_TRUE(error["kind"] == "deadlock" || error["kind"] == "livelock") << run.text;
    reached.deadlock = true;
  }
  EXPECT_TRUE(reached.cut || run.finished() || run.verdict() == "bug") << run.text;
  return reached;
}

TEST_P(RandomPrograms, ReachWhatNaiveReaches) {
  const Scratch folder;
  const std::filesystem::path any =
      build(MAZUR_TEST_SOURCES "/native/random/any_program.c", {"-O1"}, folder.path());
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  for (int checked = 0; checked < kPrograms && !HasFailure();) {
    const Words words = program(random);
    const Reached naive = reach(any, words, "naive", kMostSchedules);
    if (naive.cut) continue;
    ++checked;
    for (const char* algorithm : {"optimal", "source", "dpor"}) {
      const Reached other = reach(any, words, algorithm);
      EXPECT_EQ(other.states, naive.states) << other.text;
      EXPECT_EQ(other.deadlock, naive.deadlock) << other.text;
      EXPECT_LE(other.complete, naive.complete) << other.text;
      if (algorithm == std::string("optimal")) {
        EXPECT_EQ(other.blocked, 0) << other.text;
      }
    }
  }
}

// A process that mostly receives what the others send, and now and then uses the table.
Words actors(std::mt19937& random) {
  const auto digit = [&](unsigned below) { return std::to_string(random() % below); };
  Words words;
  const unsigned processes = 2 + static_cast<unsigned>(random() % 2);
  const bool table = random() % 4 == 0;
  const auto word = [&](unsigned me) {
    if (table && random() % 2 == 0) {
      static constexpr char kKinds[] = "inlxk";
      const char kind = kKinds[random() % 5];
      return std::string(1, kind) + digit(2) + (kind == 'i' || kind == 'n' ? digit(3) : "");
    }
    if (random() % (me == 0 ? 4 : 2) == 0)
      return std::string("s") + digit(me == 0 ? processes : 1) + digit(2) + digit(4);
    static constexpr const char* kReceives[] = {"r", "R", "a", "A", "e", "E", "d", "D"};
    std::string receive = kReceives[random() % 8];
    if (receive == "a" || receive == "A" || receive == "D") receive += digit(2);
    return receive;
  };
  for (unsigned me = 0; me < processes; ++me) {
    std::string code = me == 0 ? word(me) : std::string("s0") + digit(2) + digit(4);
    const std::size_t more = random() % (processes == 2 ? 4 : 2);
    for (std::size_t i = 0; i < more; ++i) code.append(" ").append(word(me));
    words.push_back(code);
  }
  return words;
}

class RandomActors : public testing::TestWithParam<int> {};

TEST_P(RandomActors, ReachWhatNaiveReaches) {
  const Scratch folder;
  const std::filesystem::path any =
      build(MAZUR_TEST_SOURCES "/native/random/any_actors.cpp", {"-O1"}, folder.path());
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  for (int checked = 0; checked < kActorPrograms && !HasFailure();) {
    const Words words = actors(random);
    const Reached naive = reach(any, words, "naive", kMostSchedules);
    if (naive.cut) continue;
    ++checked;
    for (const std::string algorithm :
         {"optimal", "source", "dpor", "observers", "quasi", "lazy", "graph"}) {
      const Reached other = reach(any, words, algorithm);
      EXPECT_EQ(other.states, naive.states) << other.text;
      EXPECT_EQ(other.deadlock, naive.deadlock) << other.text;
      EXPECT_LE(other.complete, naive.complete) << other.text;
      if (algorithm == "optimal" || algorithm == "observers" || algorithm == "graph") {
        EXPECT_EQ(other.blocked, 0) << other.text;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomActors, testing::Range(1, 3));

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(1, 3));
INSTANTIATE_TEST_SUITE_P(Thorough, RandomPrograms, testing::Range(3, 9));

}  // namespace
}  // namespace mazur::test
