#include "machine/native/races/shadow.h"

#include <gtest/gtest.h>

#include <vector>

#include "machine/native/memory/early_blocks.h"
#include "outside.h"

namespace mazur::native {
namespace {

struct Met {
  std::uintptr_t granule;
  ThreadId thread;  // of the earlier access, or who made the mark
  unsigned kind;
  friend bool operator==(const Met&, const Met&) = default;
};
std::vector<Met> races, marks;

class Shadow : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    set_up_shadow();
    shadow_events.race = [](const Access&, std::uintptr_t granule, Record64 earlier,
                            std::uint32_t) {
      races.push_back({granule, thread_of_record(earlier), kind_of(earlier)});
    };
    shadow_events.marked = [](const Access&, std::uintptr_t granule, Record64 mark, std::uint32_t) {
      marks.push_back({granule, thread_of_record(mark), kind_of(mark)});
    };
  }
  // Eight threads that nothing orders.
  Shadow() {
    set_threads(8);
    reset_sync_clocks();
    for (ThreadId child = 1; child < 8; ++child) {
      Label label{};
      label.kind = OpKind::kCreate;
      label.object = child;
      release_by(0, label);
    }
    static std::uint32_t execution = 0;
    reset_shadow(++execution);
    races.clear();
    marks.clear();
  }

  static Record64 me(ThreadId thread) {
    return Record64{clock_of_thread(thread)} << 32 | Record64{thread} << 16;
  }
  static void access(ThreadId thread, unsigned kind, std::uintptr_t address, std::size_t size = 4) {
    shadow_access(me(thread), {.address = address, .size = size, .kind = kind});
  }
  // What `earlier` has done so far happens before what `later` does from now on.
  static void order(ThreadId earlier, ThreadId later) {
    release_to(earlier, 0x77);
    acquire_from(later, 0x77);
  }

  static constexpr std::uintptr_t kX = 0x630000001000;
};

TEST_F(Shadow, TwoWritesRaceUnlessOneHappensBefore) {
  access(1, kWrite, kX);
  order(1, 2);
  access(2, kWrite, kX);
  EXPECT_TRUE(races.empty());
  access(3, kWrite, kX);
  EXPECT_EQ(races, (std::vector<Met>{{kX, 2, kWrite}}));
}

TEST_F(Shadow, AThreadDoesNotRaceWithItself) {
  access(1, kWrite, kX);
  access(1, kRead, kX);
  access(1, kWrite | kAtomic, kX);
  EXPECT_TRUE(races.empty());
}

TEST_F(Shadow, ReadsDoNotRace) {
  access(1, kRead, kX);
  access(2, kRead, kX);
  access(3, kRead | kAtomic, kX);
  EXPECT_TRUE(races.empty());
}

TEST_F(Shadow, AtomicAccessesRaceWithPlainOnesOnly) {
  access(1, kWrite | kAtomic, kX);
  access(2, kWrite | kAtomic, kX);
  access(3, kRead | kAtomic, kX);
  EXPECT_TRUE(races.empty());
  access(4, kRead, kX);
  ASSERT_EQ(races.size(), 2u);
  EXPECT_EQ(races[0].kind, kWrite | kAtomic);
}

TEST_F(Shadow, NeighboursInAGranuleDoNotRace) {
  access(1, kWrite, kX, 4);
  access(2, kWrite, kX + 4, 4);
  access(3, kWrite, kX + 8, 1);
  EXPECT_TRUE(races.empty());
  access(4, kWrite, kX + 3, 2);
  EXPECT_EQ(races.size(), 2u);
}

TEST_F(Shadow, ARangeIsLookedAtToItsEnd) {
  access(1, kWrite, kX + 30, 1);
  access(2, kRead, kX + 2, 28);
  EXPECT_TRUE(races.empty());
  access(2, kRead, kX + 2, 29);
  EXPECT_EQ(races, (std::vector<Met>{{kX + 24, 1, kWrite}}));
}

// One epoch per cell would lose the first reader when the second one comes.
TEST_F(Shadow, AReaderIsNotForgottenWhenAnotherReads) {
  access(1, kRead, kX);
  access(2, kRead, kX);
  access(2, kWrite, kX);
  EXPECT_EQ(races, (std::vector<Met>{{kX, 1, kRead}}));
}

TEST_F(Shadow, AsManyReadersAsThereAreAreRemembered) {
  for (ThreadId reader = 1; reader < 7; ++reader) access(reader, kRead, kX);
  access(7, kWrite, kX);
  EXPECT_EQ(races.size(), 6u);
  // All of them were replaced by the write.
  races.clear();
  order(7, 1);
  access(1, kWrite, kX);
  EXPECT_TRUE(races.empty());
}

TEST_F(Shadow, APlainReadDoesNotHideAnAtomicWriteBeforeIt) {
  access(1, kWrite | kAtomic, kX);
  order(1, 2);
  access(2, kRead, kX);
  access(3, kRead, kX);
  EXPECT_EQ(races, (std::vector<Met>{{kX, 1, kWrite | kAtomic}}));
}

TEST_F(Shadow, AnAtomicAccessDoesNotHideAPlainOneBeforeIt) {
  access(1, kWrite, kX);
  order(1, 2);
  access(2, kWrite | kAtomic, kX);
  access(3, kRead | kAtomic, kX);
  EXPECT_EQ(races, (std::vector<Met>{{kX, 1, kWrite}}));
}

TEST_F(Shadow, MarksAreToldToEveryAccessAndStay) {
  shadow_mark(kX, 16, me(1), kFreed, 42);
  access(2, kRead, kX + 8);
  access(1, kWrite, kX + 8);
  EXPECT_EQ(marks, (std::vector<Met>{{kX + 8, 1, kFreed}, {kX + 8, 1, kFreed}}));
  std::uint32_t pc = 0;
  EXPECT_NE(shadow_mark_at(kX + 15, pc), 0u);
  EXPECT_EQ(pc, 42u);
  EXPECT_EQ(shadow_mark_at(kX + 16, pc), 0u);
  shadow_forget(kX, 16);
  EXPECT_EQ(shadow_mark_at(kX, pc), 0u);
  access(3, kWrite, kX);
  EXPECT_EQ(marks.size(), 2u);
}

TEST_F(Shadow, AMarkThatBeginsInsideAGranuleLeavesTheRest) {
  access(1, kWrite, kX, 5);
  shadow_mark(kX + 5, 3, kNobody, kRedzone, 0);
  access(2, kWrite, kX, 5);
  EXPECT_EQ(races.size(), 1u);
  EXPECT_TRUE(marks.empty());
  access(2, kRead, kX + 4, 2);
  EXPECT_EQ(marks.size(), 1u);
}

TEST_F(Shadow, ANewExecutionKnowsNothing) {
  access(1, kWrite, kX);
  shadow_mark(kX + 8, 8, me(1), kFreed, 1);
  reset_shadow(1'000'000);
  access(2, kWrite, kX, 16);
  EXPECT_TRUE(races.empty());
  EXPECT_TRUE(marks.empty());
}

TEST_F(Shadow, BlocksFromBeforeMainEndWhereTheyEnd) {
  constexpr std::uintptr_t kHeap = 0x630000100000;
  note_early_block(kHeap + 16, 20);
  note_early_block(kHeap + 64, 8);
  forget_early_block(kHeap + 64);
  keep_early_blocks(kHeap, kHeap + 96);
  access(1, kWrite, kHeap + 16, 20);
  EXPECT_TRUE(marks.empty());
  access(1, kRead, kHeap + 35, 2);
  EXPECT_EQ(marks.size(), 1u);
  access(1, kRead, kHeap + 64, 8);
  EXPECT_EQ(marks.size(), 2u);
}

}  // namespace
}  // namespace mazur::native
