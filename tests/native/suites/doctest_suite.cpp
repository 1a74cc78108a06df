// Cases of every sort that doctest has, for `mazur test`.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "counting.h"

TEST_CASE("loses an update, once") {
  CHECK(counted_with_loss() == 2);  // LINE lost
}
TEST_CASE("counts") { CHECK(counted() == 2); }
TEST_CASE("has sections") {
  SUBCASE("good") { REQUIRE(counted() == 2); }
  SUBCASE("bad") {
    INFO("in a section");
    REQUIRE(1 == 2);  // LINE section
  }
}
TEST_SUITE("suite") {
  TEST_CASE("passes [a]*, \"b\" \\ c") { CHECK(true); }
  TEST_CASE("may fail" * doctest::may_fail()) { CHECK(false); }
  TEST_CASE("throws") { throw 1; }
  TEST_CASE("is hidden" * doctest::skip()) { CHECK(false); }
}
TEST_CASE_TEMPLATE("has a type", T, int) { CHECK(sizeof(T) == 4); }
