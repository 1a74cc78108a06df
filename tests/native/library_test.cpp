// The C library's part in the program: what it reads and writes through the caller's pointers, and
// the state that some functions keep.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kLibrary = MAZUR_TEST_SOURCES "/native/library";

using Words = std::vector<std::string>;

// The cases of calls.c, by number.
const Words kCalls = {
    "sprintf", "snprintf",  "printf",      "sscanf",   "sscanf_text",  "strcpy", "stpcpy",
    "strcat",  "strncpy",   "strlen",      "strcmp",   "strncmp",      "memcmp", "strchr",
    "strstr",  "strdup",    "puts",        "fwrite",   "write",        "fread",  "fgets",
    "getline", "qsort",     "localtime_r", "strftime", "strtol",       "rand_r", "wcscpy",
    "strtok",  "localtime", "getenv",      "strsep",   "clock_gettime"};

struct Setting {
  const char* name;
  Words flags;
};
std::ostream& operator<<(std::ostream& out, const Setting& setting) { return out << setting.name; }

class LibraryRaces : public testing::TestWithParam<Setting> {};

// One run of all cases: they have no schedules, so that one execution has all the races.
TEST_P(LibraryRaces, AreSeen) {
  Words flags = GetParam().flags;
  flags.insert(flags.end(),
               {"-Wno-format-truncation", "--keep-going", "--minimise=0", "--", "racy"});
  const MazurRun run = check(kLibrary / "calls.c", flags);
  EXPECT_EQ(run.verdict(), "bug") << run.text;
  std::set<std::string> functions;
  for (const auto& error : run.result["errors"]) {
    EXPECT_EQ(error["kind"], "data-race") << error.dump(1);
    for (const auto& frame : error["frames"]) functions.insert(frame["function"]);
  }
  for (const std::string& call : kCalls) EXPECT_TRUE(functions.contains(call + "_call")) << call;
  EXPECT_TRUE(functions.contains("look_at_self")) << "what pthread_create writes";
}

INSTANTIATE_TEST_SUITE_P(All, LibraryRaces,
                         testing::Values(Setting{"gcc_O0", {"-O0"}}, Setting{"gcc_O2", {"-O2"}},
                                         Setting{"clang_O1", {"-O1", "--compiler=clang"}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Library, TheSameCallsWithALockAreVerified) {
  const Scratch folder;
  const auto program = build(kLibrary / "calls.c", {"-O1"}, folder.path());
  for (std::size_t i = 0; i < kCalls.size(); ++i) {
    const MazurRun run = check(program, {"--", "locked", std::to_string(i)});
    EXPECT_EQ(run.verdict(), "verified") << kCalls[i] << run.text;
  }
}

TEST(Library, ARaceNamesTheFunctionAndItsState) {
  const MazurRun run =
      check(kLibrary / "calls.c", {"-O1", "--keep-going", "--minimise=0", "--", "racy"});
  const auto said = [&](const std::string& text) {
    for (const auto& error : run.result["errors"])
      if (error["message"].get<std::string>().find(text) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(said("earlier write of 6 bytes in sprintf by thread 1")) << run.result.dump(1);
  EXPECT_TRUE(said("write of 8 bytes in strtok at the static state of strtok by"));
  EXPECT_TRUE(said("write of 8 bytes in setenv at the environment by"));
  EXPECT_TRUE(said("at the static result of localtime and gmtime by"));
}

TEST(Library, ExploreTriesTheOrdersOfItsCalls) {
  const Scratch folder;
  const auto program = build(kLibrary / "orders.c", {"-O1"}, folder.path());
  for (int i = 0; i < 8; ++i)
    for (const char* algorithm : {"optimal", "observers"}) {
      const MazurRun run =
          check(program, {"--races=explore", "--minimise=0",
                          std::string("--algorithm=") + algorithm, "--", std::to_string(i)});
      ASSERT_EQ(run.verdict(), "bug") << i << run.text;
      EXPECT_EQ(run.result["errors"][0]["kind"], "assertion") << i << run.text;
    }
}

TEST(Library, ItsFunctionsDoWhatTheyAlwaysDo) {
  const Scratch folder;
  const auto program = build(kLibrary / "results.c", {"-O1"}, folder.path());
  for (const char* races : {"--races=report", "--races=explore", "--races=ignore"})
    EXPECT_EQ(check(program, {races}).verdict(), "verified") << check(program, {races}).text;
  // Also where each of their accesses is an event.
  setenv("MAZUR_EVERY_ACCESS", "1", 1);
  const MazurRun events = check(program, {"--races=explore"});
  unsetenv("MAZUR_EVERY_ACCESS");
  EXPECT_EQ(events.verdict(), "verified") << events.text;
  EXPECT_GT(events.result["events"], 300);
  const MazurRun fortified = check(kLibrary / "results.c", {"-O2", "-D_FORTIFY_SOURCE=2"});
  EXPECT_EQ(fortified.verdict(), "verified") << fortified.text;
}

}  // namespace
}  // namespace mazur::test
