#include "trace/comparison.h"

#include <gtest/gtest.h>

#include "trace/operation_name.h"

namespace mazur {
namespace {

bool holds(std::uint8_t order, std::uint32_t size, std::uint64_t bytes, Comparison comparison,
           std::int64_t value) {
  Operation assertion{.kind = OpKind::kLoad, .order = order, .comparison = comparison};
  assertion.size = size;
  assertion.value = static_cast<std::uint64_t>(value);
  EXPECT_TRUE(is_observed_assertion(assertion));
  return holds(assertion, bytes);
}

TEST(Comparison, OfNumbers) {
  for (const int a : {1, 2, 3}) {
    EXPECT_EQ(compare(a, Comparison::kEqual, 2), a == 2);
    EXPECT_EQ(compare(a, Comparison::kNotEqual, 2), a != 2);
    EXPECT_EQ(compare(a, Comparison::kLess, 2), a < 2);
    EXPECT_EQ(compare(a, Comparison::kGreaterEqual, 2), a >= 2);
  }
}

TEST(Comparison, AnObservedAssertionKnowsSizeAndSign) {
  EXPECT_TRUE(holds(kObservedSigned, 1, 0xff, Comparison::kEqual, -1));
  EXPECT_TRUE(holds(kObservedUnsigned, 1, 0xff, Comparison::kEqual, 255));
  EXPECT_TRUE(holds(kObservedSigned, 4, 0xffffffff, Comparison::kLess, 0));
  EXPECT_FALSE(holds(kObservedUnsigned, 4, 0xffffffff, Comparison::kLess, 0));
  EXPECT_TRUE(holds(kObservedUnsigned, 4, 0xfffffffe, Comparison::kLess, 0xffffffff));
  EXPECT_TRUE(holds(kObservedSigned, 2, 0x17fff, Comparison::kEqual, 0x7fff)) << "two bytes";
  EXPECT_TRUE(holds(kObservedSigned, 8, ~std::uint64_t{0}, Comparison::kLess, 0));
  EXPECT_FALSE(holds(kObservedUnsigned, 8, ~std::uint64_t{0}, Comparison::kLess, 0));
  EXPECT_TRUE(holds(kObservedUnsigned, 8, 1, Comparison::kLess, -1)) << "-1 is the largest";
  EXPECT_TRUE(holds(kObservedUnsigned, 8, 7, Comparison::kEqual, 7));
}

TEST(Comparison, OnlySomeLoadsAreObservedAssertions) {
  EXPECT_FALSE(is_observed_assertion({.kind = OpKind::kLoad}));
  EXPECT_FALSE(is_observed_assertion({.kind = OpKind::kStore, .order = kObservedSigned}));
}

TEST(OperationName, EveryKindHasOne) {
  EXPECT_EQ(operation_name(OpKind::kNone), "nothing");
  EXPECT_EQ(operation_name(OpKind::kLock), "lock");
  EXPECT_EQ(operation_name(kLastKind), "fence");
  const auto behind = static_cast<OpKind>(static_cast<int>(kLastKind) + 1);
  EXPECT_EQ(operation_name(behind), "unknown operation");
}

}  // namespace
}  // namespace mazur
