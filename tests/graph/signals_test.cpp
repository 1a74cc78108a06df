// Signals that are put between others: whom they wake there.
#include <gtest/gtest.h>

#include "machine/model/text.h"
#include "weak_verify.h"

namespace mazur::model {
namespace {

// Once seen: a signal kept two outcomes although another one, which had woken nobody elsewhere, was put
// before it and left one thread to choose.
TEST(Signals, OneThatHasWokenNobodyElsewhereWakesSomebodyHere) {
  const Program program = parse(R"(
    mutexes 1
    conditions 1
    thread
      lock m0
      wait c0 m0
    thread
      signal c0
    thread
      lock m0
      wait c0 m0
    thread
      signal c0
      signal c0
    )");
  EXPECT_EQ(verify_weak(program, 1, 10'000).what, "");
}

}  // namespace
}  // namespace mazur::model
