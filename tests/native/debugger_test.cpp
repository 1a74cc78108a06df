// A failing schedule in the debugger: gdb stops before the failing step, in the program's own code.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

TEST(Debugger, StopsBeforeTheFailingStep) {
  const Scratch folder;
  const MazurRun found =
      run_mazur({"check", MAZUR_TEST_SOURCES "/../examples/bank.cpp", "--quiet", "--trace=bank"},
                folder.path());
  ASSERT_EQ(found.exit_code, 1) << found.text;
  // Without a terminal gdb ends when its input does: after the stop.
  const MazurRun run = run_mazur({"replay", "bank-1.trace", "--gdb", "--rebuild"}, folder.path());
  EXPECT_NE(run.text.find("SIGTRAP"), std::string::npos) << run.text;
}

}  // namespace
}  // namespace mazur::test
