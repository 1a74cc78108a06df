// The order in which the events of a graph are run again.
#include <gtest/gtest.h>

#include "machine/model/text.h"
#include "weak_verify.h"

namespace mazur::model {
namespace {

// Once seen: a trylock that fails moves its thread before the unlock. It was cut off again, and the load
// before it was given a store that was added after the unlock, but stayed where it was.
TEST(Order, ALoadComesBehindTheStoreThatItReadsWhereverItWasMoved) {
  const Program program = parse(R"(
    variables 0
    mutexes 1
    thread
      lock m0
      unlock m0
    thread
      store x0 0
      lock m0
      store x0 0
    thread
      load r0 x0
      trylock r0 m0
    )");
  EXPECT_EQ(verify_weak(program, 1, 10'000).what, "");
}

}  // namespace
}  // namespace mazur::model
