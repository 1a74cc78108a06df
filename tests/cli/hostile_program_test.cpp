// A program under test writes into the memory that it shares with mazur, or prints what a terminal
// should not get (fake_runtime.cpp): mazur lives on and says something sensible.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "cli/run/channel_block.h"
#include "cli/run/program_run.h"
#include "spawn.h"

namespace mazur {
namespace {

class HostileProgram : public testing::Test {
 protected:
  void SetUp() override {
    here_.write("bank.cpp", contents_of(FIXTURE));
    ASSERT_EQ(spawn({FAKE_MAZUR, "c++", "-rdynamic", "bank.cpp", "-o", "prog"}, here_.path()).code,
              0);
  }
  Finished check(const std::string& what) const {
    return spawn({FAKE_MAZUR, "check", "./prog", "--json=result.json", "--", what}, here_.path());
  }
  Scratch here_;
};

TEST_F(HostileProgram, RandomBytesInTheChannelAreSurvived) {
  for (int seed = 0; seed < 40; ++seed) {
    const auto ended = check("scribble " + std::to_string(seed));
    EXPECT_GE(ended.code, 0) << seed;
    EXPECT_LE(ended.code, 4) << seed << ended.err;
    EXPECT_FALSE(contains(ended.err, "unexpected error")) << seed << ended.err;
  }
}

TEST_F(HostileProgram, TheChannelCannotBeMadeSmaller) {
  const auto ended = check("shrink");
  EXPECT_EQ(ended.code, 3) << ended.err;
  EXPECT_TRUE(contains(ended.out, "the block cannot be made smaller")) << ended.out;
}

TEST_F(HostileProgram, TheTerminalGetsNoEscapeSequences) {
  const auto ended = check("escapes");
  EXPECT_EQ(ended.code, 1) << ended.err;
  const auto shown = spawn({FAKE_MAZUR, "show", "prog-1.trace"}, here_.path());
  for (const std::string& text : {ended.out, shown.out, contents_of(here_ / "result.json")}) {
    EXPECT_EQ(text.find_first_of("\033\007\r\177"), std::string::npos) << text;
    EXPECT_FALSE(contains(text, "\xc2\x9b"));
  }
  EXPECT_TRUE(contains(ended.out, "  | an \\x1b[2Jempty screen")) << ended.out;
  EXPECT_TRUE(contains(ended.out, "thread 1 (\\x1b]0;title\\x07)")) << ended.out;
  EXPECT_TRUE(contains(ended.out, "  | red \\x1b[1A\\x0d\\x9b2K")) << ended.out;
}

// The same without a process: each field that once was believed.
TEST(Channel, NothingInItIsBelieved) {
  const ChannelBlock block({}, "");
  ProgramRun run;
  run.program = "/nowhere";
  block->phase = Phase::kDone;
  const unsigned char nonsense = 200;
  std::memcpy(static_cast<void*>(&block->verdict), &nonsense, 1);
  EXPECT_FALSE(block.verdict().has_value());
  EXPECT_EQ(read_end(block, run, 0, 0).verdict, Verdict::kUnsupported);

  block->complete = ~std::uint64_t{0};
  block->explored = std::nan("");
  block->seconds = -1e300;
  EXPECT_FALSE(block.explored().known());
  block->explored_most = 2;
  EXPECT_FALSE(block.explored().known());
  EXPECT_EQ(block.seconds(), 0);
  EXPECT_LE(block.tally().complete, std::uint64_t{1} << 50);

  std::memset(block->reason, 'x', sizeof block->reason);
  EXPECT_EQ(block.reason().size(), sizeof block->reason);

  block->granules = Channel::kMaxGranules + 1;
  EXPECT_FALSE(block.granules().has_value());
  block->schedule_size = 0xffffffff;
  EXPECT_EQ(block.schedule().size(), Channel::kScheduleSize);

  block->log_size = ~std::uint64_t{0};
  EXPECT_TRUE(block.records().empty());
  char* const log = reinterpret_cast<char*>(&*block) + kChannelHeader;
  const std::uint64_t length = std::uint64_t{1} << 60;
  std::memcpy(log, &length, sizeof length);
  EXPECT_TRUE(block.records().empty());

  block->order_sites = Channel::kMaxOrderSites + 1;
  EXPECT_FALSE(block.order_sites().has_value());
  block->order_sites = 3;
  block->order_site[0].kind = OpKind::kFence;
  block->order_site[0].frames = 0xffffffff;
  block->order_site[1].kind = OpKind::kLock;
  std::memcpy(static_cast<void*>(&block->order_site[2].kind), &nonsense, 1);
  ASSERT_EQ(block.order_sites()->size(), 1u);
  EXPECT_EQ(block.order_sites()->front().frames, OrderSite::kFrames);
  block->order_site[0].order = 6;
  EXPECT_TRUE(block.order_sites()->empty());

  const std::uint32_t phase = 99;
  std::memcpy(static_cast<void*>(&block->phase), &phase, sizeof phase);
  EXPECT_EQ(read_end(block, run, 0, 0).verdict, Verdict::kUnsupported);
}

TEST(Channel, IsSealed) {
  const ChannelBlock block({}, "");
  EXPECT_EQ(ftruncate(block.descriptor(), 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(ftruncate(block.descriptor(), static_cast<off_t>(2 * kChannelBytes)), -1);
}

}  // namespace
}  // namespace mazur
