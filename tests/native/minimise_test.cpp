// Failing schedules of real programs are minimised, and what is left fails every time.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

struct Case {
  const char* program;  // in the tests' folder
  const char* option;   // or ""
  int preemptions;      // that the error needs; -1: not known
  int old_values = 0;
};

class MinimiseNative : public testing::TestWithParam<Case> {};

std::string first_line_of(const nlohmann::json& error) {
  for (const auto& frame : error["frames"])
    if (frame["line"] != 0) return frame["file"].get<std::string>() + frame["line"].dump();
  return "";
}

TEST_P(MinimiseNative, FailsAtTheSameLineAThousandTimesOfAThousand) {
  const Scratch folder;
  const std::filesystem::path source = MAZUR_TEST_SOURCES + std::string("/") + GetParam().program;
  const auto program = build(source, {"-O1"}, folder.path());
  std::vector<std::string> words{"check",   program.string(),    "--trace=found",
                                 "--quiet", "--json=found.json", "--minimise=3600"};
  if (*GetParam().option != '\0') words.push_back(GetParam().option);
  const MazurRun found = run_mazur(words, folder.path());
  ASSERT_EQ(found.exit_code, 1) << found.text;
  const auto result = nlohmann::json::parse(contents_of(folder / "found.json"));
  const auto& error = result["errors"][0];
  EXPECT_TRUE(error["schedule"]["minimal"]) << error.dump(1);
  if (GetParam().preemptions >= 0) {
    EXPECT_EQ(error["schedule"]["preemptions"], GetParam().preemptions) << error.dump(1);
  }
  EXPECT_EQ(error["schedule"].value("old_values", 0), GetParam().old_values) << error.dump(1);
  const std::string times = GetParam().option == std::string("--isolation=fork") ? "50" : "1000";
  for (const std::string& often : {std::string("1"), std::string("1"), times}) {
    const MazurRun again = run_mazur(
        {"replay", "found-1.trace", "--times=" + often, "--json=again.json"}, folder.path());
    ASSERT_EQ(again.exit_code, 1) << again.text;
    const auto replayed = nlohmann::json::parse(contents_of(folder / "again.json"));
    ASSERT_EQ(replayed["errors"].size(), 1u) << replayed.dump(1);
    EXPECT_EQ(replayed["executions"]["complete"].dump(), often);
    EXPECT_EQ(replayed["errors"][0]["kind"], error["kind"]);
    EXPECT_EQ(replayed["errors"][0]["count"].dump(), often);
    EXPECT_EQ(first_line_of(replayed["errors"][0]), first_line_of(error));
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, MinimiseNative,
                         testing::Values(Case{"../examples/ticket_office.cpp", "", 1},
                                         Case{"../examples/bank.cpp", "", 1},
                                         Case{"../examples/bank.cpp", "--isolation=fork", 1},
                                         Case{"../examples/bank.cpp", "--algorithm=random", 1},
                                         Case{"../examples/treiber_stack.cpp", "", 1},
                                         Case{"../examples/double_checked.cpp", "", 0},
                                         Case{"../examples/bounded_buffer.cpp", "", 0},
                                         Case{"native/errors/ends/exit_code.c", "", -1},
                                         Case{"native/errors/memory/use_after_free.cpp", "", -1},
                                         Case{"native/errors/memory/leak.cpp", "--leaks", -1},
                                         Case{"native/errors/ends/crash_null_pointer.cpp", "", -1},
                                         Case{"native/verdict/store_buffering.cpp", "--memory=tso",
                                              0, 1}));

}  // namespace
}  // namespace mazur::test
