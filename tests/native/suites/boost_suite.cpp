// Cases of every sort that Boost.Test has, for `mazur test`.
#define BOOST_TEST_MODULE suite
#define BOOST_TEST_DYN_LINK
#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

#include "counting.h"

BOOST_AUTO_TEST_SUITE(threads)
BOOST_AUTO_TEST_CASE(loses_an_update) {
  BOOST_CHECK_EQUAL(counted_with_loss(), 2);  // LINE lost
}
BOOST_AUTO_TEST_CASE(counts) { BOOST_TEST(counted() == 2); }
BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(fails) {
  BOOST_TEST_CONTEXT("in a context") {
    BOOST_REQUIRE(1 == 2);  // LINE section
  }
}
BOOST_AUTO_TEST_CASE(passes) { BOOST_TEST(true); }
BOOST_AUTO_TEST_CASE(may_fail, *boost::unit_test::expected_failures(1)) { BOOST_TEST(false); }
BOOST_AUTO_TEST_CASE(throws) { throw 1; }
BOOST_AUTO_TEST_CASE(is_hidden, *boost::unit_test::disabled()) { BOOST_TEST(false); }
using Types = boost::mpl::list<int>;
BOOST_AUTO_TEST_CASE_TEMPLATE(has_a_type, T, Types) { BOOST_TEST(sizeof(T) == 4u); }
