// The whole way with the real runtime: check, trace file, replay in other processes, show, gdb.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "checks/schema.h"
#include "checks/xml.h"
#include "spawn.h"

namespace mazur {
namespace {

using Json = nlohmann::json;

constexpr char kBank[] = R"(#include <cstdio>
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account& from, Account& to) {
  std::lock_guard<std::mutex> one(from.mutex);
  std::lock_guard<std::mutex> two(to.mutex);  // line 12
  from.balance -= 10;
  to.balance += 10;
}

int main() {
  Account alice, bob;
  std::printf("transferring\n");
  std::thread a([&] { transfer(alice, bob); });
  std::thread b([&] { transfer(bob, alice); });
  a.join();
  b.join();
}
)";

constexpr char kLostUpdate[] = R"(#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> hits;

void hit() {
  const int now = hits.load();
  hits.store(now + 1);
}

int main() {
  std::thread a(hit), b(hit);
  a.join();
  b.join();
  assert(hits == 2);  // line 16
}
)";

void expect_valid(const std::string& schema, const Json& json) {
  for (const std::string& problem : test::Schema(SOURCE_DIR + schema).violations(json))
    ADD_FAILURE() << problem;
}

// The thread flows, put together by their order, are the steps of the schedule.
void expect_same_schedule(const Json& error, const Json& result) {
  std::map<int, std::string> flow, steps;
  for (const Json& thread : result["codeFlows"][0]["threadFlows"])
    for (const Json& at : thread["locations"])
      flow[at["executionOrder"]] = at["location"]["message"]["text"];
  for (const Json& event : error["events"]) {
    const int thread = event["thread"];
    steps[event["step"]] = "step " + std::to_string(event["step"].get<int>()) + ", " +
                           (thread == 0 ? "main" : "thread " + std::to_string(thread)) + ": " +
                           event["operation"].get<std::string>();
  }
  EXPECT_EQ(steps.size(), error["schedule"]["steps"]);
  EXPECT_EQ(flow, steps);
}

struct Way {
  const char* compiler;
  const char* optimisation;
};

class EndToEnd : public testing::TestWithParam<Way> {
 protected:
  Finished mazur(std::vector<std::string> words,
                 const std::vector<std::string>& variables = {}) const {
    words.insert(words.begin(), MAZUR);
    return spawn(words, here_.path(), variables);
  }
  Finished check(const std::string& source, std::vector<std::string> words) const {
    words.insert(words.begin(), {"check", source, GetParam().optimisation,
                                 std::string("--compiler=") + GetParam().compiler});
    return mazur(words);
  }
  Scratch here_;
};

TEST_P(EndToEnd, ADeadlockAndItsReplays) {
  here_.write("bank.cpp", kBank);
  const auto found =
      check("bank.cpp", {"--json=bank.json", "--sarif=bank.sarif", "--junit=bank.xml"});
  ASSERT_EQ(found.code, 1) << found.out << found.err;
  EXPECT_TRUE(contains(found.out, "held by thread 2")) << found.out;
  EXPECT_TRUE(contains(found.out, "bank.cpp:12")) << found.out;
  EXPECT_TRUE(contains(found.out, "  | transferring")) << found.out;
  const Json json = Json::parse(contents_of(here_ / "bank.json"));
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(json["errors"][0]["kind"], "deadlock");
  const Json sarif = Json::parse(contents_of(here_ / "bank.sarif"));
  expect_valid("/docs/schemas/result.schema.json", json);
  expect_valid("/tests/report/checks/sarif.schema.json", sarif);
  expect_same_schedule(json["errors"][0], sarif["runs"][0]["results"][0]);
  const test::Element suite = test::read_xml(contents_of(here_ / "bank.xml")).children.at(0);
  EXPECT_EQ(suite.children.at(0).child("failure")->attributes.at("message"),
            "Deadlock at bank.cpp:12");

  // Everything on main's stack keeps its address, however large the environment is.
  for (const std::size_t size : {0, 1, 100, 5000}) {
    const auto again = mazur({"replay", "bank-1.trace"}, {"PADDING=" + std::string(size, 'x')});
    EXPECT_EQ(again.code, 1) << again.out << again.err;
    EXPECT_TRUE(contains(again.out, "bank.cpp:12")) << again.out;
    EXPECT_EQ(again.err, "");
  }
  EXPECT_TRUE(contains(mazur({"show", "bank-1.trace"}).out, "bank.cpp:12"));
}

TEST_P(EndToEnd, AnAssertionAtItsLine) {
  here_.write("lost.cpp", kLostUpdate);
  const auto found = check("lost.cpp", {"--json=-"});
  ASSERT_EQ(found.code, 1) << found.err;
  const Json error = Json::parse(found.out)["errors"][0];
  EXPECT_EQ(error["kind"], "assertion");
  bool line = false;
  for (const Json& frame : error["frames"])
    line = line || (frame["file"] == "lost.cpp" && frame["line"] == 16);
  EXPECT_TRUE(line) << error;
  EXPECT_EQ(mazur({"replay", "lost-1.trace"}).code, 1);

  // A program that is right does not fit the trace of one that is wrong.
  std::string mended = kLostUpdate;
  mended.replace(mended.find("hits.store(now + 1)"), 19, "hits += (now, 1)   ");
  here_.write("lost.cpp", mended);
  EXPECT_EQ(mazur({"replay", "lost-1.trace"}).code, 2);
  const auto other = mazur({"replay", "lost-1.trace", "--rebuild"});
  EXPECT_EQ(other.code, 4) << other.out;
  EXPECT_TRUE(contains(other.err, "the program has changed")) << other.err;
  EXPECT_EQ(check("lost.cpp", {}).code, 0);
}

TEST_P(EndToEnd, ABoundIsNeverAProof) {
  here_.write("lost.cpp", kLostUpdate);
  const auto bounded = check("lost.cpp", {"--algorithm=naive", "--max-executions=1"});
  EXPECT_EQ(bounded.code, 3) << bounded.out;
  EXPECT_TRUE(contains(bounded.out, "incomplete")) << bounded.out;
}

INSTANTIATE_TEST_SUITE_P(Ways, EndToEnd, testing::Values(Way{"gcc", "-O0"}, Way{"clang", "-O2"}),
                         [](const auto& info) {
                           return std::string(info.param.compiler) + (info.param.optimisation + 1);
                         });

TEST(Installed, AProgramBuiltByPlainGccIsCheckedAsItIs) {
  const Scratch here;
  here.write("bank.cpp", kBank);
  ASSERT_EQ(spawn({"g++", "-fsanitize=thread", "-g", "bank.cpp", "-o", "bank"}, here.path()).code,
            0);
  EXPECT_EQ(spawn({MAZUR, "check", "./bank"}, here.path()).code, 1);
  EXPECT_EQ(spawn({MAZUR, "replay", "bank-1.trace"}, here.path()).code, 1);
}

}  // namespace
}  // namespace mazur
