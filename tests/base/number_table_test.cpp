#include "base/number_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace mazur {
namespace {

// Numbers that have only three different hashes.
class NumberTableTest : public testing::Test {
 protected:
  std::uint32_t find(int value) const {
    return table_.find(hash(value), [&](std::uint32_t n) { return values_[n] == value; });
  }
  void add(int value) {
    values_.push_back(value);
    table_.add(static_cast<std::uint32_t>(values_.size() - 1),
               [this](std::uint32_t n) { return hash(values_[n]); });
  }
  static std::uint64_t hash(int value) { return static_cast<std::uint64_t>(value % 3); }

  std::vector<int> values_;
  NumberTable table_{4};
};

TEST_F(NumberTableTest, HasNothingAtFirst) { EXPECT_EQ(find(0), NumberTable::kNone); }

TEST_F(NumberTableTest, FindsEveryValueAlsoAfterItHasGrown) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(find(i * 7), NumberTable::kNone);
    add(i * 7);
    for (int j = 0; j <= i; ++j) ASSERT_EQ(find(j * 7), static_cast<std::uint32_t>(j));
  }
  EXPECT_EQ(find(1), NumberTable::kNone);
}

}  // namespace
}  // namespace mazur
