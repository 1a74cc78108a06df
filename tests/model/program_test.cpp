// The text form of programs, what makes one invalid, and the shrinker.
#include <gtest/gtest.h>

#include <stdexcept>

#include "generate/generate.h"
#include "machine/model/shrink.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

// As the parser leaves it: fields that an instruction does not use are default.
Program normal(Program p) {
  for (Thread& thread : p.threads) {
    for (Instruction& in : thread.code) {
      Instruction clean{.code = in.code};
      const auto uses = [&](Part part) { return has_part(in.code, part); };
      if (uses(Part::kResult) || uses(Part::kTest)) clean.reg = in.reg;
      if (uses(Part::kComparison) || uses(Part::kTest)) clean.comparison = in.comparison;
      if (uses(Part::kWays)) clean.ways = in.ways;
      if (uses(Part::kPlace)) clean.place = in.place;
      if (uses(Part::kPlace2)) clean.place2 = in.place2;
      if (uses(Part::kValue)) clean.value = in.value;
      if (uses(Part::kTest)) clean.value.constant = in.value.constant;
      if (uses(Part::kValue2)) clean.value2 = in.value2;
      if (uses(Part::kThread) || uses(Part::kTarget)) clean.target = in.target;
      in = clean;
    }
  }
  return p;
}

TEST(ProgramText, RoundTripsRandomPrograms) {
  for (std::uint64_t n = 0; n < 2000; ++n) {
    const Program p = normal(generate(11, n));
    ASSERT_EQ(parse(print(p)), p) << print(p);
  }
}

TEST(ProgramText, SaysWhichLineIsWrong) {
  const auto complaint = [](const char* text) {
    try {
      parse(text);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint("variables 1\nthread\n  lode r0 x0\n"), "line 3: no such instruction: lode");
  EXPECT_EQ(complaint("thread\n load r0\n"), "line 2: the line ends too early");
  EXPECT_EQ(complaint("thread\n load r0 m0\n"), "line 2: expected x<number>");
  EXPECT_EQ(complaint("thread\n load r0 x0 x1\n"), "line 2: unexpected: x1");
  EXPECT_EQ(complaint("load r0 x0\n"), "line 1: an instruction outside of a thread");
  EXPECT_EQ(complaint("thread\n if r0 ~ 1 goto 0\n"), "line 2: expected ==, !=, < or >=");
  EXPECT_EQ(complaint("thread\n load r0 x0\n"), "no such object");
  EXPECT_EQ(complaint("thread # with a comment\n yield # too\n"), "");
}

TEST(Program, InvalidOnesAreRefused) {
  const auto refused = [](const char* text) {
    EXPECT_THROW(parse(text), std::invalid_argument) << text;
  };
  refused("thread\n if r0 == 0 goto 2\n");
  refused("thread\n set r8 0\n");
  refused("thread\n join t1\n");
  refused("thread\n choose r0 0\n");
  refused("thread\n spawn t0\n");
  refused("thread spawned\n yield\n");
  refused("thread\n spawn t1\nthread\n yield\n");
  refused("thread\n spawn t2\nthread\n spawn t2\nthread spawned\n yield\n");
  refused("barriers 0\nthread\n barrier b0\n");
  refused("semaphores -1\nthread\n sempost s0\n");
}

TEST(Program, GeneratedOnesAreValidAndUseEverything) {
  std::vector<int> used(kCodes, 0);
  for (std::uint64_t n = 0; n < 5000; ++n) {
    const Program p = generate(3, n,
                               {.blocks = n % 4 >= 2,
                                .messages = n % 8 == 7,
                                .parts = n % 8 >= 4,
                                .observes = n % 16 >= 8,
                                .lives = n % 32 >= 16});
    ASSERT_EQ(invalid(p), "") << print(p);
    ASSERT_LE(p.threads.size(), 4u);
    for (const Thread& thread : p.threads)
      for (const Instruction& in : thread.code) ++used[static_cast<std::size_t>(in.code)];
    if (n % 2 == 1) continue;
    for (const Thread& thread : p.threads)
      for (const Instruction& in : thread.code) {
        const ObjectClass c = form(in.code).of_place;
        ASSERT_EQ(c, ObjectClass::kVariable) << print(p);
      }
  }
  // For programs written by hand; fences are for memory models (tests/oracle/weak).
  for (Code other : {Code::kSet, Code::kAdd, Code::kMul, Code::kMod, Code::kInitBarrier,
                     Code::kDestroyBarrier, Code::kFence})
    used[static_cast<std::size_t>(other)] = 1;
  for (int c = 0; c < kCodes; ++c) EXPECT_GT(used[c], 0) << form(static_cast<Code>(c)).name;
}

TEST(Shrink, KeepsOnlyWhatMatters) {
  const Program p = parse(R"(
    variables 3 0 1
    mutexes 2
    semaphores 2
    thread
      0: lock m1
      1: load r0 x2
      2: if r0 == 0 goto 5
      3: store x1 r0+2
      4: unlock m1
      5: yield
    thread
      spawn t2
      load r1 x0
    thread spawned
      fetch_add r0 x1 1
      semwait s0
  )");
  const auto count = [](const Program& q, Code code) {
    int n = 0;
    for (const Thread& thread : q.threads)
      for (const Instruction& in : thread.code) n += in.code == code;
    return n;
  };
  const Program small = shrink(p, [&](const Program& q) {
    return count(q, Code::kStore) == 1 && count(q, Code::kSemWait) == 1 && q.threads.size() == 2;
  });
  EXPECT_EQ(print(small),
            "variables 0\nsemaphores 0\nthread\n  0: store x0 0\nthread\n  0: semwait s0\n");
}

}  // namespace
}  // namespace mazur::model
