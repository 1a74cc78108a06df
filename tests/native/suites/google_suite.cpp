// Cases of every sort that GoogleTest has, for `mazur test`.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>

TEST(Counter, LosesAnUpdate) {
  std::atomic<int> n{0};
  const auto count = [&n] { n.store(n.load() + 1); };
  std::thread a(count), b(count);
  a.join();
  b.join();
  EXPECT_EQ(n, 2) << "an update was lost";  // LINE lost
}

TEST(Counter, Counts) {
  std::atomic<int> n{0};
  std::thread a([&n] { ++n; }), b([&n] { ++n; });
  a.join();
  b.join();
  EXPECT_EQ(n, 2);
}

TEST(Counter, FailsInAThread) {
  std::atomic<int> n{0};
  std::thread a([&n] { n = 1; });
  std::thread b([&n] { EXPECT_EQ(n, 0); });  // LINE thread
  a.join();
  b.join();
}

TEST(Counter, IsTooMuch) {
  std::atomic<int> n{0};
  const auto count = [&n] {
    for (int i = 0; i < 20; ++i) ++n;
  };
  std::thread a(count), b(count);
  a.join();
  b.join();
}

TEST(Plain, Passes) { EXPECT_TRUE(true); }
TEST(Plain, Fails) { ASSERT_TRUE(false); }                       // LINE fails
TEST(Plain, Throws) { throw std::runtime_error("not caught"); }  // LINE throws
TEST(Plain, LooksForAFailure) {
  EXPECT_NONFATAL_FAILURE(ADD_FAILURE(), "");
}  // its printer prints nothing
TEST(Plain, HasABreakpoint) { asm volatile("int3"); }  // LINE breakpoint
TEST(Plain, Skips) { GTEST_SKIP(); }
TEST(Plain, DISABLED_Fails) { FAIL(); }
TEST(Plain, Dies) { EXPECT_DEATH(std::abort(), ""); }
TEST(PlainDeathTest, Dies) { EXPECT_DEATH(std::abort(), ""); }

class Fixture : public testing::Test {
 protected:
  void SetUp() override { value_ = 1; }
  int value_ = 0;
};
TEST_F(Fixture, IsSetUp) { EXPECT_EQ(value_, 1); }

class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, AreSmall) { EXPECT_LT(GetParam(), 5); }  // LINE parameter
INSTANTIATE_TEST_SUITE_P(Some, Numbers, testing::Values(1, 7));

template <class T>
class Typed : public testing::Test {};
using Types = testing::Types<char, long>;
TYPED_TEST_SUITE(Typed, Types);
TYPED_TEST(Typed, IsAByte) { EXPECT_EQ(sizeof(TypeParam), 1u); }  // LINE typed
