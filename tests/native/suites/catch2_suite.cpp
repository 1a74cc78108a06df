// Cases of every sort that Catch2 has, for `mazur test`. Its main is in a library.
#include <catch2/catch.hpp>

#include "counting.h"

TEST_CASE("loses an update, once", "[threads]") {
  CHECK(counted_with_loss() == 2);  // LINE lost
}
TEST_CASE("counts") { CHECK(counted() == 2); }
TEST_CASE("has sections") {
  SECTION("good") { REQUIRE(counted() == 2); }
  SECTION("bad") {
    INFO("in a section");
    REQUIRE(1 == 2);  // LINE section
  }
}
TEST_CASE("passes [a]*, \"b\" \\ c") { CHECK(true); }
TEST_CASE("may fail", "[!mayfail]") { CHECK(false); }
TEST_CASE("throws") { throw 1; }
TEST_CASE("is hidden", "[.]") { CHECK(false); }
TEMPLATE_TEST_CASE("has a type", "", int) { CHECK(sizeof(TestType) == 4); }
