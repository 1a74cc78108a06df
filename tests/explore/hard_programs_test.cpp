// Programs that explorers with observers or context are likely to get wrong, against brute force.
#include <gtest/gtest.h>

#include <string>

#include "machine/model/text.h"
#include "oracle.h"
#include "verify.h"

namespace mazur {
namespace {

void expect_agreement(const std::string& text, const char* name) {
  const model::Program program = model::parse(text);
  const model::Answer answer = model::brute_force(program, 100'000, 200, /*observed=*/true);
  for (model::Subject subject : model::subjects(name)) {
    const std::uint64_t seeds = subject.options.pick == PickOrder::kRandom ? RANDOM_SEEDS : 1;
    for (subject.options.seed = 1; subject.options.seed <= seeds; ++subject.options.seed)
      EXPECT_EQ(model::verify(program, answer, subject), "")
          << subject.describe() << ", seed " << subject.options.seed << "\n"
          << text;
  }
}

// Each has a race that shows only in an order that counts as equal to one that was explored
// (explore/context/hidden_races.h).
constexpr const char* kHiding[] = {
    "variables 0 0\nthread\nload r0 x0\nstore x1 r0+1\nfetch_add r0 x1 0\n"
    "thread\nstore x0 1\n"
    "thread\nstore x1 1\nload r1 x0\nassert r1 == 1\n",
    // The value of a store is there already only in some of the orders that count as equal.
    "variables 0 0\nthread\nstore x1 1\nstore x0 0\nload r0 x0\n"
    "thread\nstore x0 1\nload r0 x0\ncas r0 x1 0 0\nthread\nstore x0 1\n",
    "variables 0\nmutexes 1\nthread\nload r0 x0\nlock m0\nthread\nlock m0\nstore x0 1\n"
    "thread\nstore x0 0\ntrylock r0 m0\n",
    // Two pairs hide it together.
    "variables 0 1 1\nthread\nload r0 x0\nstore x1 1\nstore x2 1\n"
    "thread\nstore x1 1\nstore x2 1\nload r0 x0\nthread\nstore x0 1\n",
    // The compare-exchange succeeds also without the store that it is reversed with.
    "variables 0\nthread\ncas r0 x0 2 0\nthread\nstore x0 2\nload r0 x0\nthread\nstore x0 2\n",
    // A step that was cut is not in what comes before a lock.
    "variables 0\nmutexes 1\nthread\nstore x0 1\nlock m0\nthread\nlock m0\n"
    "thread\nstore x0 1\nlock m0\ncas r0 x0 1 0\n",
    "variables 0 0\nthread\nstore x1 2\nstore x0 2\nthread\nload r1 x0\nload r0 x0\n"
    "thread\nload r0 x1\nstore x0 1\n"
    "thread\nstore x1 2\nload r0 x1\nload r0 x1\nload r0 x0\n",
    "variables 1 0 0\nthread\nload r0 x0\nstore x0 1\nthread\nstore x2 1\nstore x1 0\n"
    "thread\ncas r0 x0 2 0\nstore x2 0\nload r0 x2\nthread\nload r0 x2\nstore x0 2\n",
    // Blocks: the same, and a race that only an observer shows which is not in what is run.
    "variables 0 1\nthread\nspawn t2\nstore x0 0\njoin t2\nthread\nspawn t3\nstore x1 0\n"
    "thread spawned\nload r0 x0\nobserve x0 == 0\n"
    "thread spawned\natomic\nstore x0 1\nload r1 x1\nassume r1 != 0\nend\n",
    "variables 0 0\nthread\nstore x0 0\nstore x1 1\nload r0 x0\nobserve x1 != 0\n"
    "thread\natomic\nstore x1 0\nstore x0 0\nend\n",
    // The hidden race is one of two stores: it has to be observed.
    "variables 0 0\nthread\nstore x1 0\nstore x0 0\nstore x1 1\nload r0 x0\n"
    "thread\nstore x0 1\nload r0 x1\n",
    // What waits may need the step that was cut.
    "variables 0 0\nthread\nstore x0 0\nobserve x0 >= 0\nawaitboth x0 x1 >= 1\n"
    "thread\nstore x1 1\ncas r0 x0 0 1\nthread\nstore x1 0\n",
    // A loop that waits counts stores that change nothing: labels do not tell how it goes on.
    "variables 0\nthread\nstore x0 2\nstore x0 2\nthread\nspinboth x0 x0 >= 0\n"
    "thread\nstore x0 0\n",
    // The assertion holds neither before nor after the first fetch_add.
    "variables 0 0\nthread\nstore x1 0\nobserve x0 >= 2\n"
    "thread\nfetch_add r0 x0 1\nstore x1 1\nfetch_add r0 x0 1\nobserve x0[r0] >= 1\n",
    // The stores of x0 are equal to those who see one of them; the race of x1 with its observer is
    // hidden for each outcome of the choice.
    "variables 0 0\nthread\nstore x1 1\nstore x1 1\nstore x0 2\nload r0 x0\n"
    "thread\nstore x0 2\nchoose r0 2\nobserve x1 == 0\n",
    // Two stores of x0 that nobody tells apart are in order only because of a load between them.
    "variables 0 0 0\nthread\nobserve x0 < 1\nstore x0 0\nload r0 x2\n"
    "thread\nload r0 x1\nload r1 x0\nstore x2 0\nload r1 x1\n"
    "thread\nfetch_add r0 x1 1\nstore x0 1\nthread\nstore x1 1\n",
    // The second load and the first store commute only if the other store came before them.
    "variables 0 0\nthread\nstore x1 1\nthread\nstore x0 2\n"
    "thread\nobserve x0 >= 0\nobserve x1 >= 1\nload r0 x0\nthread\nstore x0 2\nload r0 x1\n",
    // A step that sleeps does not cover what it commutes with, if orders were left out after it:
    // the race that leads on is found in the order that is left out elsewhere.
    "variables 2 0\nthread\nobserve x1 == 0\nstore x0 0\nthread\nstore x0 0\nobserve x1 == 0\n"
    "thread\nobserve x0 == 2\nstore x1 1\nthread\nobserve x0 >= 0\nstore x1 2\n",
    // Neither does a store that could come first as long as nobody looks.
    "variables 0 1 0\nthread\nfetch_add r0 x0 0\nthread\nstore x0 1\n"
    "thread\nstore x2 1\nstore x0 2\nload r1 x0\nthread\nobserve x2 == 2\n",
    // The compare-exchange is reversed with the first store, and comes after the second one then.
    "variables 0 0\nthread\nstore x1 1\nload r0 x1\nthread\nstore x0 1\nstore x1 1\n"
    "thread\ncas r0 x1 1 1\n"
    "thread\nobserve x0 >= 0\nobserve x1 != 1\nload r0 x0\nload r1 x1\n",
};

TEST(Context, FindsRacesThatEqualOrdersHide) {
  for (const char* text : kHiding) expect_agreement(text, "context");
}

TEST(ContextObservers, FindsRacesThatEqualOrdersHide) {
  for (const char* text : kHiding) expect_agreement(text, "context-observers");
}

// Blocks that write several places can be hidden in part.
TEST(Observers, BlocksThatWriteSeveralPlaces) {
  expect_agreement(
      "variables 0 0 0\nthread\nfetch_add r0 x0 0\nload r0 x1\nthread\nstore x2 0\n"
      "thread\natomic\nstore x1 0\nstore x0 0\nload r0 x2\nend\n"
      "thread\nstore x1 0\nstore x0 0\n",
      "observers");
  // Others that are not seen have no order before it.
  expect_agreement(
      "variables 0 0\nthread\nstore x0 0\nthread\nstore x0 0\n"
      "thread\natomic\nstore x0 0\nstore x1 0\nend\n",
      "observers");
}

// A block that is reversed can write something unseen that it had read before.
TEST(Observers, BlocksThatNoLongerReadWhatTheyWrite) {
  expect_agreement(
      "variables 0 0 0\nthread\nstore x0 2\nthread\nstore x2 0\n"
      "thread\natomic\nload r0 x0\nload r0 x0[r0]\nstore x2 0\nend\nthread\nstore x2 0\n",
      "observers");
}

// A block that is reversed can see the order of stores that nobody saw before.
TEST(Observers, BlocksThatReadMoreWhenReversed) {
  const char* const text =
      "variables 0 0\nthread\natomic\nfetch_add r0 x0 0\nif r0 != 0 goto 4\nload r0 x1\nend\n"
      "thread\nchoose r0 2\nif r0 == 0 goto 3\nstore x1 0\n"
      "thread\nstore x0 1\nthread\nstore x1 0\n";
  expect_agreement(text, "observers");
  expect_agreement(text, "context-observers");
  // The store that it observes stays the last one of those.
  expect_agreement(
      "variables 0 0\nthread\nstore x0 0\nstore x1 1\n"
      "thread\nstore x1 0\nstore x0 0\natomic\nload r1 x1\nload r0 x0[r1]\nend\n",
      "observers");
}

// Most reversals are covered by stores and loads that were explored or planned; which ones is told
// without writing them out.
TEST(Observers, StoresAndLoadsThatCoverReversals) {
  const std::string stores = "thread\nstore x0 1\nthread\nstore x0 2\nthread\nstore x0 3\n";
  for (const char* others : {
           "thread\nload r0 x0\nthread\nload r0 x0\n",
           "thread\nload r0 x0\nload r1 x0\n",
           "thread\nload r0 x0\nstore x0 4\n",
           "thread\nstore x0 4\nload r0 x0\nstore x0 5\n",
           "thread\nfetch_add r0 x0 1\n",
           "thread\ncas r0 x0 2 4\nload r1 x0\n",
           "thread\nload r0 x0\nload r1 x1\nthread\nstore x1 1\nstore x0 4\n",
           "thread\nload r0 x1\nload r1 x0\nthread\nstore x0 4\nstore x1 1\n",
           "thread\nobserve x0 < 2\nthread\nobserve x0 < 3\n",
       })
    expect_agreement("variables 0 0\n" + stores + others, "observers");
}

// Which of two stores to one location woke a loop depends on an order that needs an observer.
TEST(Observers, LoopsThatWait) {
  const char* const text =
      "variables 0 0 0\nthread\nstore x2 0\nthread\nstore x2 0\nstore x0 2\n"
      "thread\nspinboth x0 x2 != 2\n";
  expect_agreement(text, "observers");
}

}  // namespace
}  // namespace mazur
