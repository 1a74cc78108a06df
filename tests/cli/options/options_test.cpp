#include <gtest/gtest.h>

#include "cli/options/check_options.h"
#include "cli/usage.h"
#include "spawn.h"

namespace mazur {
namespace {

std::string problem(const std::vector<std::string>& words) {
  try {
    bool help = false;
    parse_check(words, help);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

CheckOptions parsed(const std::vector<std::string>& words) {
  bool help = false;
  return parse_check(words, help);
}

TEST(Options, UnknownOnesGetASuggestion) {
  EXPECT_EQ(problem({"prog", "--algoritm=naive"}),
            "unknown option --algoritm for 'mazur check'. Did you mean --algorithm?");
  EXPECT_EQ(problem({"prog", "--keepgoing"}),
            "unknown option --keepgoing for 'mazur check'. Did you mean --keep-going?");
  EXPECT_EQ(problem({"prog", "--time"}),
            "unknown option --time for 'mazur check'. Did you mean --time-limit?");
  EXPECT_EQ(problem({"prog", "--xyzzy"}), "unknown option --xyzzy for 'mazur check'.");
}

TEST(Options, BadValuesAreOneSentence) {
  EXPECT_EQ(problem({"prog", "--seed=-1"}), "--seed takes a whole number, not '-1'.");
  EXPECT_EQ(problem({"prog", "--seed=1x"}), "--seed takes a whole number, not '1x'.");
  EXPECT_EQ(problem({"prog", "--seed="}), "--seed takes a whole number, not ''.");
  EXPECT_EQ(problem({"prog", "--seed=99999999999999999999"}),
            "--seed takes a whole number, not '99999999999999999999'.");
  EXPECT_EQ(problem({"prog", "--max-steps=0"}),
            "--max-steps takes a whole number of at least 1, not '0'.");
  EXPECT_EQ(problem({"prog", "--races=maybe"}),
            "--races takes report, explore, ignore, not 'maybe'.");
  EXPECT_EQ(problem({"prog", "--races=expore"}),
            "--races takes report, explore, ignore, not 'expore'. Did you mean explore?");
  EXPECT_EQ(problem({"prog", "--time-limit=soon"}),
            "--time-limit takes a time such as 10, 2.5s or 5m, not 'soon'.");
  EXPECT_EQ(problem({"prog", "--time-limit=nan"}),
            "--time-limit takes a time such as 10, 2.5s or 5m, not 'nan'.");
  EXPECT_EQ(problem({"prog", "--seed"}), "option --seed needs a value: --seed=N.");
  EXPECT_EQ(problem({"prog", "--keep-going=yes"}), "option --keep-going takes no value.");
}

TEST(Options, BoundsOnSchedulesChooseTheirAlgorithm) {
  EXPECT_STREQ(parsed({"prog"}).request.algorithm, "optimal");
  EXPECT_STREQ(parsed({"prog", "--preemption-bound=2"}).request.algorithm, "bounded");
  EXPECT_STREQ(parsed({"prog", "--delay-bound=0"}).request.algorithm, "bounded");
  EXPECT_STREQ(parsed({"prog", "--delay-bound=0", "--algorithm=naive"}).request.algorithm, "naive");
  EXPECT_EQ(problem({"prog", "--algorithm=optimal", "--preemption-bound=2"}),
            "--algorithm=optimal cannot keep to a bound on preemptions or delays without losing "
            "schedules: leave it out, or take bounded or naive.");
  EXPECT_EQ(problem({"prog", "--delay-bound=1", "--preemption-bound=2"}),
            "--preemption-bound, --delay-bound and --context-bound cannot be combined: give one of "
            "them.");
  EXPECT_STREQ(parsed({"prog", "--context-bound=2"}).request.algorithm, "quasi");
  EXPECT_STREQ(parsed({"prog", "--algorithm=quasi", "--context-bound=2"}).request.algorithm,
               "quasi");
  EXPECT_EQ(problem({"prog", "--algorithm=optimal", "--context-bound=2"}),
            "--context-bound is for --algorithm=quasi, not optimal; for the others there is "
            "--preemption-bound.");
}

TEST(Options, WeakerOrdersNeedAModelInWhichTheyDiffer) {
  EXPECT_TRUE(parsed({"prog", "--weaken", "--memory=c++20"}).weaken);
  EXPECT_EQ(problem({"prog", "--weaken"}),
            "--weaken needs --memory=c++20: under sc all memory orders mean the same.");
  EXPECT_EQ(problem({"prog", "--weaken", "--memory=tso"}),
            "--weaken needs --memory=c++20: tso is about processors, where most orders mean the "
            "same.");
  EXPECT_EQ(problem({"prog", "--weaken", "--memory=c++20", "--races=ignore"}),
            "--weaken cannot be combined with --races=ignore: data races show which orders are "
            "needed.");
  EXPECT_EQ(problem({"x.dlang", "--weaken", "--memory=c++20"}),
            "--weaken is for C and C++ programs, not for dlang programs.");
}

TEST(Options, RangesOfInputs) {
  const CheckOptions options = parsed({"prog", "--nondet=-2..10"});
  EXPECT_EQ(options.request.nondet_lowest, -2);
  EXPECT_EQ(options.request.nondet_highest, 10);
  for (const char* bad : {"", "1", "1..", "..2", "3..1", "1...2", "a..b", "1..2x"})
    EXPECT_EQ(problem({"prog", std::string("--nondet=") + bad}),
              std::string("--nondet takes a range such as -2..10, not '") + bad + "'.");
  EXPECT_EQ(problem({"prog", "--nondet=0..99999999"}),
            "--nondet takes a range of at most 65535 values.");
}

// The first ended mazur with a segmentation fault, the others with an unexpected error.
TEST(Options, EmptyAndEndlessNames) {
  EXPECT_EQ(problem({""}), "an empty word is no file to check.");
  EXPECT_EQ(problem({"prog", "--suppressions="}), "there is no file of suppressions ''.");
  const std::string endless = std::string(100'000, 'x') + ".cpp";
  EXPECT_EQ(problem({endless}), "there is no file '" + endless + "'.");
}

TEST(Options, ValuesMayFollowAsAWord) {
  EXPECT_EQ(parsed({"prog", "--seed", "17"}).request.explorer.seed, 17u);
  EXPECT_EQ(parsed({"--seed", "17", "prog"}).executable, "prog");
}

TEST(Options, Times) {
  EXPECT_EQ(parsed({"prog", "--time-limit=10"}).request.bounds.time_limit, 10);
  EXPECT_EQ(parsed({"prog", "--time-limit=2.5s"}).request.bounds.time_limit, 2.5);
  EXPECT_EQ(parsed({"prog", "--time-limit=5m"}).request.bounds.time_limit, 300);
  EXPECT_EQ(parsed({"prog", "--time-limit=2h"}).request.bounds.time_limit, 7200);
}

TEST(Options, WordsAreSortedIntoSourcesFlagsAndArguments) {
  const Scratch scratch;
  const std::string one = scratch.write("one.cpp", ""), two = scratch.write("two.c", "");
  const CheckOptions options = parsed({one, "-DN=3", "-I", "dir", two, "-std=c++20", "lib.a",
                                       "-lfoo", "--seed=2", "--", "--seed=3", "x.cpp"});
  EXPECT_EQ(options.sources, (std::vector<std::string>{one, two}));
  EXPECT_EQ(options.flags, (std::vector<std::string>{"-O1", "-DN=3", "-I", "dir", "-std=c++20",
                                                     "-lfoo", "lib.a"}));
  EXPECT_EQ(options.arguments, (std::vector<std::string>{"--seed=3", "x.cpp"}));
  EXPECT_EQ(options.request.explorer.seed, 2u);
}

// Where each plain access may be a scheduling point, compilers leave every one of them.
TEST(Options, HowSourcesAreOptimisedIfNoFlagSays) {
  const Scratch scratch;
  const std::string source = scratch.write("one.cpp", "");
  const std::string blocks = scratch.write("blocks.c", "void __VERIFIER_atomic_add(void);");
  using Flags = std::vector<std::string>;
  EXPECT_EQ(parsed({source}).flags, Flags{"-O1"});
  EXPECT_EQ(parsed({source, "--algorithm=context"}).flags, Flags{"-O0"});
  EXPECT_EQ(parsed({source, "--races=explore"}).flags, Flags{"-O0"});
  EXPECT_EQ(parsed({source, "--svcomp"}).flags, (Flags{"-O0", "-finstrument-functions"}));
  EXPECT_EQ(parsed({blocks}).flags, Flags{"-O0"});
  // A flag that says.
  EXPECT_EQ(parsed({source, "-O0"}).flags, Flags{"-O0"});
  EXPECT_EQ(parsed({source, "-O"}).flags, Flags{"-O"});
  EXPECT_EQ(parsed({source, "-Ofast", "--races=explore"}).flags, Flags{"-Ofast"});
  EXPECT_EQ(parsed({source, "-I", "-Older"}).flags, (Flags{"-O1", "-I", "-Older"}));
}

TEST(Options, WhatCannotBeChecked) {
  const Scratch scratch;
  const std::string source = scratch.write("one.cpp", "");
  EXPECT_EQ(problem({}), "nothing to check: give sources or one executable.");
  EXPECT_EQ(problem({"-O2"}), "nothing to check: give sources or one executable.");
  EXPECT_EQ(problem({"nothere.cpp"}), "there is no file 'nothere.cpp'.");
  EXPECT_EQ(problem({"a", "b"}),
            "only one executable can be checked at a time; arguments of 'a' come after --.");
  EXPECT_EQ(problem({"a", "-O2"}), "the compiler flag -O2 needs sources to compile; 'a' is none.");
  EXPECT_EQ(problem({source, "word"}),
            "'word' is no source file; arguments of the program come after --.");
  EXPECT_EQ(problem({source, "-I"}), "the compiler flag -I needs a value after it.");
}

TEST(Options, HelpNamesEveryOption) {
  const std::string help = check_help();
  for (const auto& option : check_option_table())
    EXPECT_NE(help.find("--" + std::string(option.name)), std::string::npos) << option.name;
}

TEST(Usage, NearestWord) {
  const std::string_view words[] = {"check", "replay", "show"};
  EXPECT_EQ(nearest("chekc", words), "check");
  EXPECT_EQ(nearest("rep", words), "replay");
  EXPECT_EQ(nearest("shwo", words), "show");
  EXPECT_EQ(nearest("elephant", words), "");
}

}  // namespace
}  // namespace mazur
