// Tasks in the style of SV-COMP: what is a violation and what only ends an execution, the answer in
// its words, and the witness.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kTasks = MAZUR_TEST_SOURCES "/native/svcomp";

std::string answer(const MazurRun& run) {
  return run.result.is_null() ? "no result" : run.result.value("svcomp", "none");
}

// A property file with this formula.
std::string property(const Scratch& folder, const std::string& formula) {
  return "--property=" + folder.write("p.prp", "CHECK( init(main()), LTL(" + formula + ") )\n");
}

TEST(Svcomp, AnEmptyReachErrorStillCounts) {
  for (const char* level : {"-O0", "-O2"}) {
    const MazurRun run = check(kTasks / "empty_reach_error.c", {level, "--svcomp"});
    EXPECT_EQ(run.exit_code, 1) << run.text;
    EXPECT_EQ(answer(run), "false(unreach-call)") << run.text;
  }
}

TEST(Svcomp, AStaticReachErrorThatIsInlinedCounts) {
  for (const char* compiler : {"--compiler=gcc", "--compiler=clang"}) {
    const MazurRun run = check(kTasks / "static_reach_error.c", {"-O2", compiler, "--svcomp"});
    EXPECT_EQ(answer(run), "false(unreach-call)") << run.text;
  }
}

TEST(Svcomp, AbortExitDeadlockAndMainsResultAreNoErrors) {
  const MazurRun run = check(kTasks / "ends_without_error.c", {"--svcomp"});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(answer(run), "true") << run.text;
}

TEST(Svcomp, ACrashAnswersNothing) {
  const MazurRun run = check(kTasks / "crash.c", {"--svcomp"});
  EXPECT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_EQ(answer(run), "unknown") << run.text;
}

TEST(Svcomp, ARangeOfInputsIsNoProof) {
  const MazurRun found = check(kTasks / "input.c", {"--svcomp"});
  EXPECT_EQ(answer(found), "false(unreach-call)") << found.text;
  const MazurRun not_found = check(kTasks / "input.c", {"--svcomp", "--nondet=3..5"});
  EXPECT_EQ(answer(not_found), "unknown") << not_found.text;
}

TEST(Svcomp, PropertyFilesSayWhatIsAnError) {
  const Scratch folder;
  const MazurRun race = check(kTasks / "empty_reach_error.c", {property(folder, "G ! data-race")});
  EXPECT_EQ(answer(race), "false(no-data-race)") << race.text;
  const MazurRun none = check(kTasks / "deadlock.c", {property(folder, "G ! data-race")});
  EXPECT_EQ(answer(none), "true") << none.text;
  const MazurRun deadlock = check(kTasks / "deadlock.c", {property(folder, "G ! deadlock")});
  EXPECT_EQ(answer(deadlock), "false(no-deadlock)") << deadlock.text;
  const MazurRun call =
      check(kTasks / "empty_reach_error.c", {property(folder, "G ! call(check())")});
  EXPECT_EQ(answer(call), "false(unreach-call)") << call.text;
  EXPECT_EQ(call.complete(), 1) << call.text;  // every execution calls it
}

TEST(Svcomp, PropertiesThatAreNotCheckedAreRefused) {
  const Scratch folder;
  for (const char* formula : {"G valid-free", "G ! overflow", "F end", "G ! call(f(1))"}) {
    const MazurRun run = check(kTasks / "crash.c", {property(folder, formula)});
    EXPECT_EQ(run.exit_code, 2) << run.text;
    EXPECT_NE(run.text.find("is not supported"), std::string::npos) << run.text;
  }
}

TEST(Svcomp, PreprocessedTasksAreTakenAsTheyAre) {
  const Scratch folder;
  const std::string task = folder / "task.i", witness = folder / "w.graphml";
  const Finished made = spawn({"gcc", "-E", (kTasks / "empty_reach_error.c").string(), "-o", task});
  ASSERT_EQ(made.code, 0) << made.err;
  const MazurRun run = check(task, {"--svcomp", "--witness=" + witness});
  EXPECT_EQ(answer(run), "false(unreach-call)") << run.text;
  const std::string text = contents_of(witness);
  for (const char* part :
       {"<data key=\"witness-type\">violation_witness</data>",
        "<data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>",
        "<data key=\"architecture\">64bit</data>", "<node id=\"N0\"><data key=\"entry\">true",
        "<data key=\"threadId\">2</data><data key=\"startline\">13</data>",
        "<data key=\"createThread\">2</data>", "<data key=\"violation\">true</data>"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  const std::size_t hash = text.find("<data key=\"programhash\">");
  ASSERT_NE(hash, std::string::npos);
  EXPECT_EQ(text.find('<', hash + 24), hash + 24 + 64) << text;
}

TEST(Svcomp, TheSameSchedulePreparedByATraceFileFailsAgain) {
  const Scratch folder;
  const MazurRun found = run_mazur({"check", (kTasks / "empty_reach_error.c").string(), "--svcomp",
                                    "--trace=task", "--json=result.json"},
                                   folder.path());
  ASSERT_EQ(found.exit_code, 1) << found.text;
  const MazurRun again = run_mazur({"replay", "task-1.trace", "--rebuild"}, folder.path());
  EXPECT_EQ(again.exit_code, 1) << again.text;
}

}  // namespace
}  // namespace mazur::test
