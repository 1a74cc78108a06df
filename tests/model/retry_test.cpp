// Loops that come back to where they were: what ends, ends in all the same ways, and what cannot end
// is a livelock.
#include <gtest/gtest.h>

#include <cstdlib>

#include "generate/generate.h"
#include "machine/model/shrink.h"
#include "machine/model/text.h"
#include "retry_check.h"

namespace mazur::model {
namespace {

struct Counts {
  int programs = 0, livelocks = 0, given_up = 0;
};

// Execution graphs do not know that a thread goes on because somebody has seen its round. If that one
// is gone from a graph, they notice, and give up.
bool gives_up(const std::string& what) {
  return what.find("cannot run again") != std::string::npos;
}
bool is_unknown(const std::string& what) {
  return what.find("graph does not know") != std::string::npos;
}

// The first so many programs that can be checked, each with one of the ways to explore.
Counts check(const std::vector<std::string>& explorers, std::uint64_t seed, int programs,
             bool looks = false) {
  Counts counts;
  std::vector<Subject> all;
  for (const std::string& name : explorers)
    for (const Subject& subject : subjects(name))
      if (!subject.options.stored_states) all.push_back(subject);
  for (std::uint64_t number = 1; counts.programs < programs; ++number) {
    const Program program = generate(
        seed, number, {.retries = true, .looks = looks, .max_threads = 3, .max_operations = 8});
    if (!can_check_retries(program)) continue;
    const Endings endings(program);
    if (!endings.complete) continue;
    ++counts.programs;
    counts.livelocks += endings.livelock ? 1 : 0;
    const Subject& subject = all[number % all.size()];
    const std::string what = check_retries(program, endings, subject);
    if (gives_up(what)) ++counts.given_up;
    if (what.empty() || gives_up(what) || is_unknown(what)) continue;
    const Program small = shrink(program, [&](const Program& p) {
      const Endings e(p);
      return can_check_retries(p) && e.complete && check_retries(p, e, subject) == what;
    });
    ADD_FAILURE() << "program " << number << ", " << subject.describe() << ": " << what << '\n'
                  << print(small) << "made smaller from\n"
                  << print(program);
    return counts;
  }
  return counts;
}

// More of them by hand: MAZUR_RETRIES=1000000.
int wanted(int programs) {
  const char* more = std::getenv("MAZUR_RETRIES");
  return more == nullptr ? programs : std::atoi(more);
}
std::uint64_t seed() {
  const char* other = std::getenv("MAZUR_RETRY_SEED");
  return other == nullptr ? 5 : static_cast<std::uint64_t>(std::atoll(other));
}

TEST(RetryLoops, EndAsTheyCan) {
  const Counts counts = check(
      {"dpor", "source", "optimal", "quasi", "lazy", "observers", "context", "context-observers"},
      seed(), wanted(20'000));
  EXPECT_GT(counts.livelocks, counts.programs / 100);
}

// With looks that are disabled while they would be in vain.
TEST(RetryLoops, EndAsTheyCanWithLooks) {
  const Counts counts = check({"optimal", "source"}, seed() + 1, wanted(10'000), true);
  EXPECT_GT(counts.livelocks, counts.programs / 100);
}

TEST(RetryLoops, EndAsTheyCanAsGraphs) {
  const Counts counts = check({"graph"}, seed(), wanted(3'000));
  EXPECT_GT(counts.livelocks, counts.programs / 100);
  EXPECT_LT(counts.given_up, counts.programs / 100);
}

void expect_all_endings(const Program& program, const Endings& endings) {
  ASSERT_TRUE(endings.complete);
  for (const char* name : {"dpor", "source", "optimal", "quasi", "lazy", "graph"})
    for (const Subject& subject : subjects(name))
      if (!subject.options.stored_states) {
        EXPECT_EQ(check_retries(program, endings, subject), "") << subject.describe();
      }
}

// Each of three tries can fail, in three rounds of the loop, since the mutex is taken in between. So
// a round that was seen is needed as long as nobody knows that it is not.
TEST(RetryLoops, RoundsThatWereSeenAreNeeded) {
  const Program program = parse(R"(
    variables 0
    mutexes 1
    thread
      lock m0
      load r3 x0
      unlock m0
      if r3 == 0 goto 0
    thread
      trylock r0 m0
      if r0 == 0 goto 3
      unlock m0
      lock m0
      unlock m0
      trylock r1 m0
      if r1 == 0 goto 8
      unlock m0
      lock m0
      unlock m0
      trylock r2 m0
      if r2 == 0 goto 13
      unlock m0
      store x0 1
  )");
  expect_all_endings(program, Endings(program));
}

// The try can fail only in a round in vain of the first thread, and the second thread leaves its loop
// only if the first one goes on after that. Its own round is not over until then, so nobody may leave
// out both.
TEST(RetryLoops, ARoundThatIsNotOverIsNoRepetition) {
  const Program program = parse(R"(
    variables 0 0
    mutexes 1
    thread
      load r0 x0
      if r0 != 0 goto 5
      lock m0
      unlock m0
      if r0 == 0 goto 0
      store x1 1
    thread
      trylock r1 m0
      if r1 == 0 goto 3
      unlock m0
      load r2 x1
      if r2 == 0 goto 0
    thread
      store x0 1
  )");
  expect_all_endings(program, Endings(program));
}

// Two threads have stopped, each in its first loop. When the second one goes on, it sets the variable
// that the first one waits for, and waits again.
TEST(RetryLoops, WhoChangesSomethingDoesNotStandStill) {
  const Program program = parse(R"(
    variables 0 0 0
    thread
      load r3 x0
      if r3 == 0 goto 0
      store x2 1
    thread
      load r3 x1
      if r3 == 0 goto 0
      fetch_add r0 x0 1
      load r3 x2
      if r3 == 0 goto 3
    thread
      store x1 1
  )");
  const Endings endings(program);
  EXPECT_FALSE(endings.livelock);
  expect_all_endings(program, endings);
}

}  // namespace
}  // namespace mazur::model
