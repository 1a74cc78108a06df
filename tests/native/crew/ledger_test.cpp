// --ledger: an exploration that outlives every process that works on it.
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "ledger_file.h"
#include "work/postgres_server.h"

namespace mazur::test {
namespace {

TEST_F(LedgerFile, TheResultIsThatOfOneProcess) {
  int n = 0;
  for (const Words& options :
       {Words{}, {"--", "fail"}, {"--keep-going", "--memory=c++20", "--", "fail"}}) {
    Words one{"--algorithm=graph"};
    one.insert(one.end(), options.begin(), options.end());
    const nlohmann::json expected = essence(run(count_, one));
    slices(3);
    for (const char* jobs : {"1", "2", "4", "8"}) {
      const std::string ledger = "--ledger=" + std::to_string(++n) + ".db";
      Words more{"-j", jobs, ledger};
      more.insert(more.end(), options.begin(), options.end());
      const MazurRun shared = run(count_, more);
      EXPECT_EQ(essence(shared), expected) << shared.text;
      // What is over is only reported, the shorter schedule with it.
      const MazurRun again = run(count_, more);
      EXPECT_EQ(essence(again), expected) << again.text;
      EXPECT_EQ(again.result.value("errors", nlohmann::json()),
                shared.result.value("errors", nlohmann::json()));
    }
    unsetenv("MAZUR_SLICE");
  }
}

TEST_F(LedgerFile, MazurMayBeKilledAtAnyMoment) {
  slices(500);
  const Words words = command(long_, {"--ledger=run.db", "-j2", "--", "5"});
  std::mt19937 random(7);
  int kills = 0;
  for (; kills < 12; ++kills) {
    const pid_t child = start(words);
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 200));
    kill(child, SIGKILL);
    if (wait_for(child) >= 0) break;  // it was over before
  }
  EXPECT_GE(kills, 2);
  expect_all(mazur(words), kFive);
  expect_all(mazur(words), kFive);
}

TEST_F(LedgerFile, WorkersMayBeKilledAtAnyMoment) {
  slices(500);
  const pid_t mazur = start(command(long_, {"--ledger=run.db", "-j3", "--", "5"}));
  unsigned killed = 0;
  int status = 0;
  while (waitpid(mazur, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    const std::vector<pid_t> processes = processes_of(long_);
    if (killed < 9 && processes.size() >= 3 &&
        kill(processes[killed % processes.size()], SIGKILL) == 0)
      ++killed;
  }
  EXPECT_GE(killed, 1u);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  expect_all(run(long_, {"--ledger=run.db", "--", "5"}), kFive);
}

TEST_F(LedgerFile, AnInterruptedRunGoesOn) {
  slices(500);
  const MazurRun limited = run(long_, {"--ledger=run.db", "--time-limit=0.001", "--", "5"});
  EXPECT_EQ(limited.exit_code, 3) << limited.text;
  EXPECT_EQ(limited.result.value("reason", ""), "--time-limit was reached") << limited.text;
  EXPECT_NE(limited.text.find("the same command goes on"), std::string::npos) << limited.text;
  expect_all(run(long_, {"--ledger=run.db", "-j2", "--", "5"}), kFive);
  EXPECT_NE(mazur({"status", "run.db"}).text.find("over"), std::string::npos);

  // This one does not end before it is seen at work.
  const pid_t child = start(command(long_, {"--ledger=endless.db", "--", "8"}));
  while (mazur({"status", "endless.db"}).text.find("1 claimed") == std::string::npos)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 3);
  const MazurRun status = mazur({"status", "endless.db", "--json"});
  EXPECT_EQ(status.exit_code, 0) << status.text;
  EXPECT_NE(status.text.find("\"over\": false"), std::string::npos) << status.text;
  EXPECT_NE(status.text.find("\"claimed\": 0"), std::string::npos) << status.text;
}

// It is not known how much can be told after this time, but what is told is true.
TEST_F(LedgerFile, HowMuchIsExploredIsARange) {
  constexpr double kSix = 7'484'400;
  ASSERT_EQ(run(long_, {"--ledger=run.db", "-j2", "--time-limit=0.5", "--", "6"}).exit_code, 3);
  const auto status = nlohmann::json::parse(mazur_output({"status", "run.db", "--json"}));
  const double part = status["executions"]["total"].get<double>() / kSix;
  ASSERT_TRUE(status.contains("explored"));
  if (!status["explored"].is_null()) {
    EXPECT_LE(status["explored"]["at_least"].get<double>(), part);
    EXPECT_GE(status["explored"]["at_most"].get<double>(), part);
  }
  expect_all(run(long_, {"--ledger=over.db"}));
  const auto over = nlohmann::json::parse(mazur_output({"status", "over.db", "--json"}));
  EXPECT_EQ(over["explored"]["at_least"], 1);
}

// Another folder, another name, another environment.
TEST_F(LedgerFile, AWorkerElsewhereGoesOn) {
  begin({});
  const fs::path elsewhere = folder() / std::string(120, 'd') / "e";
  fs::create_directories(elsewhere);
  fs::copy_file(long_, elsewhere / "another_name_of_it");
  const std::string ledger = "--ledger=" + (folder() / "run.db").string();
  const Finished worker =
      spawn({MAZUR_PROGRAM, "worker", ledger, "./another_name_of_it", "-j2"}, elsewhere.string(),
            {"BALLAST=" + std::string(50000, 'x'), "HOME=/nowhere", "LANG=C.UTF-8", "COLUMNS=7"});
  EXPECT_EQ(worker.code, 0) << worker.err;
  EXPECT_NE(worker.out.find("all is explored"), std::string::npos) << worker.out;
  expect_all(run(long_, {"--ledger=run.db"}));
}

TEST_F(LedgerFile, ErrorsOfAWorkerComeBackShort) {
  const MazurRun one = run(long_, {"--ledger=one.db", "--", "4", "fail"});
  EXPECT_EQ(one.exit_code, 1) << one.text;
  begin({"--", "4", "fail"});
  const MazurRun worker = mazur({"worker", "--ledger=run.db", long_.string()});
  EXPECT_EQ(worker.exit_code, 0) << worker.text;
  for (int times = 0; times < 2; ++times) {
    const MazurRun whole = run(long_, {"--ledger=run.db", "--", "4", "fail"});
    EXPECT_EQ(essence(whole), essence(one)) << whole.text;
    EXPECT_EQ(whole.result["errors"], one.result["errors"]);
    EXPECT_TRUE(whole.result["errors"][0]["schedule"]["minimal"].get<bool>()) << whole.text;
  }
}

TEST_F(LedgerFile, AShippedProgramRunsOnlyIfThatWasAskedFor) {
  const fs::path program = folder() / "long";
  fs::copy_file(long_, program);
  slices(50);
  EXPECT_EQ(run(program, {"--ledger=run.db", "--ship", "--time-limit=0.001"}).exit_code, 3);
  fs::rename(program, folder() / "away");
  expect_refused(mazur({"worker", "--ledger=run.db"}), "needs the program that is explored");
  expect_refused(mazur({"worker", "--ledger=run.db", "./long"}), "there is no file './long'");
  const MazurRun worker = mazur({"worker", "--ledger=run.db", "--shipped"});
  EXPECT_EQ(worker.exit_code, 0) << worker.text;
  fs::rename(folder() / "away", program);
  expect_all(run(program, {"--ledger=run.db"}));
}

TEST_F(LedgerFile, WhatWasNotShippedIsNotRun) {
  begin({});
  expect_refused(mazur({"worker", "--ledger=run.db", "--shipped"}), "does not have 'long'");
}

TEST_F(LedgerFile, WhatDiffersIsNamed) {
  begin({"--memory=tso"});
  const auto refuse = [&](const fs::path& program, const Words& options, const std::string& why) {
    Words words{"--ledger=run.db"};
    words.insert(words.end(), options.begin(), options.end());
    expect_refused(run(program, words), why);
  };
  refuse(long_, {}, "was begun with --memory=tso");
  refuse(long_, {"--memory=tso", "--keep-going"}, "was begun without --keep-going");
  refuse(long_, {"--memory=tso", "--", "4"}, "was begun with other arguments");
  refuse(count_, {"--memory=tso"}, "was begun with another program");
  expect_refused(mazur({"worker", "--ledger=run.db", count_.string()}),
                 "was begun with another program");
  // Nothing of that has left a mark.
  expect_all(run(long_, {"--ledger=run.db", "--memory=tso"}));
}

// Workers that come and go, and a server that does, too.
TEST_F(LedgerFile, ManyWorkersOnPostgres) {
  PostgresServer& server = PostgresServer::shared();
  const auto ledger = [&](const std::string& name) { return server.url() + "#" + name; };
  const nlohmann::json expected = essence(run(count_, {"--algorithm=graph", "--", "fail"}));
  slices(3);
  for (const unsigned workers : {1u, 2u, 5u}) {
    const std::string place = "--ledger=" + ledger(std::to_string(workers));
    const MazurRun begun = run(count_, {place, "--time-limit=0.001", "--", "fail"});
    std::vector<pid_t> all;
    for (unsigned i = 0; i < workers; ++i)
      all.push_back(start({"worker", place, count_.string(), "--quiet"}));
    for (const pid_t worker : all) EXPECT_EQ(wait_for(worker), 0) << contents_of(folder() / "err");
    EXPECT_EQ(essence(run(count_, {place, "--", "fail"})), expected) << workers << begun.text;
  }
  slices(1000);
  const std::string place = "--ledger=" + ledger("killed");
  const pid_t check = start(command(long_, {place, "--", "5"}));
  while (mazur({"status", ledger("killed")}).exit_code != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::vector<pid_t> all{start({"worker", place, long_.string(), "-j2"})};
  for (int times = 0; times < 2; ++times) {
    const pid_t dies = start({"worker", place, long_.string()});
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    server.cut_connections();
    kill(dies, SIGKILL);
    wait_for(dies);
    end_lease(server, dies);
    server.kill();
    server.start();
  }
  all.push_back(start({"worker", place, long_.string()}));
  for (const pid_t worker : all) EXPECT_EQ(wait_for(worker), 0) << contents_of(folder() / "err");
  EXPECT_EQ(wait_for(check), 0) << contents_of(folder() / "err");
  expect_all(run(long_, {place, "--", "5"}), kFive);
}

// The papers' programs, whose numbers of executions are known.
struct Paper {
  const char* program;
  Words defines;
  long traces;
  unsigned workers;
  friend void PrintTo(const Paper& paper, std::ostream* out) { *out << paper.program; }
};

class LiteratureOnPostgres : public LedgerFile, public testing::WithParamInterface<Paper> {};

TEST_P(LiteratureOnPostgres, HasItsExecutions) {
  const Paper& paper = GetParam();
  const fs::path source = fs::path(MAZUR_TEST_SOURCES) / "literature" / paper.program;
  Words flags{"-O1"};
  flags.insert(flags.end(), paper.defines.begin(), paper.defines.end());
  const fs::path program = build(source, flags, folder());
  const std::string place =
      "--ledger=" + PostgresServer::shared().url() + "#" + source.stem().string();
  slices(7);
  ASSERT_EQ(run(program, {place, "--time-limit=0.001"}).exit_code, 3);
  std::vector<pid_t> all;
  for (unsigned i = 0; i < paper.workers; ++i)
    all.push_back(start({"worker", place, program.string(), "--quiet"}));
  for (const pid_t worker : all) EXPECT_EQ(wait_for(worker), 0) << contents_of(folder() / "err");
  expect_all(run(program, {place}), paper.traces);
}

INSTANTIATE_TEST_SUITE_P(All, LiteratureOnPostgres,
                         testing::Values(Paper{"lastzero.c", {"-DN=5"}, 64, 1},
                                         Paper{"inc.c", {"-DK=3", "-DN=2"}, 328, 2},
                                         Paper{"readers.cpp", {"-DN=8"}, 256, 5},
                                         Paper{"wakeup_stress.c", {"-DN=5"}, 240, 1},
                                         Paper{"disp.c", {"-DR=2", "-DS=5"}, 137, 2},
                                         Paper{"mpat.cpp", {"-DK=4"}, 384, 5}),
                         [](const auto& info) { return test_name(info.param.program); });

TEST_F(LedgerFile, BadLedgersAreRefusedInOneSentence) {
  std::ofstream(folder() / "text.db") << std::string(5000, 'x');
  std::ofstream(folder() / "empty.db");
  const auto lines = [](const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  };
  for (const char* place :
       {"text.db", "no/such/folder/run.db", ".", "postgresql://nobody@127.0.0.1:1/nothing",
        "postgresql://nobody:secret@127.0.0.1:1/nothing"}) {
    const Finished check =
        spawn({MAZUR_PROGRAM, "check", long_.string(), std::string("--ledger=") + place},
              folder().string());
    EXPECT_EQ(check.code, 2) << place << check.err;
    EXPECT_EQ(lines(check.err), 1) << place << check.err;
    EXPECT_EQ(check.err.find("secret"), std::string::npos);
    EXPECT_EQ(check.err.find("unexpected"), std::string::npos) << check.err;
    const Finished status = spawn({MAZUR_PROGRAM, "status", place}, folder().string());
    EXPECT_EQ(status.code, 2) << place;
    EXPECT_EQ(lines(status.err), 1) << status.err;
  }
  EXPECT_EQ(contents_of((folder() / "text.db").string()), std::string(5000, 'x'));
  for (const char* place : {"nothing.db", "empty.db"}) {
    expect_refused(mazur({"status", place}), place);
    expect_refused(mazur({"worker", std::string("--ledger=") + place, long_.string()}), place);
  }
  EXPECT_FALSE(fs::exists(folder() / "nothing.db"));
}

// libpq is loaded only when a server is named.
TEST_F(LedgerFile, PostgresNeedsItsLibrary) {
  std::ofstream(folder() / "libpq.so.5");
  ASSERT_EQ(setenv("LD_LIBRARY_PATH", folder().c_str(), 1), 0);
  const MazurRun without = mazur({"status", "postgresql://nobody@127.0.0.1:1/nothing"});
  const MazurRun file = run(long_, {"--ledger=run.db", "--", "4"});
  unsetenv("LD_LIBRARY_PATH");
  expect_refused(without, "needs libpq.so.5 (Debian's package libpq5)");
  expect_all(file);
}

TEST_F(LedgerFile, WhatCannotBeCutIsRefused) {
  for (const auto& [option, why] :
       {std::pair<const char*, const char*>{"--algorithm=optimal", "only the work of graph"},
        {"--races=explore", "what threads share"},
        {"--unroll=3", "the loops that are cut"},
        {"--max-executions=5", "executions are counted"}})
    expect_refused(run(long_, {"--ledger=run.db", option}), why);
  expect_refused(run(long_, {"--ship"}), "give --ledger");
  EXPECT_FALSE(fs::exists(folder() / "run.db"));
}

}  // namespace
}  // namespace mazur::test
