// --json, --junit, --sarif and --annotations, on a runtime that explores nothing (fake_runtime.cpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "checks/schema.h"
#include "checks/xml.h"
#include "spawn.h"

namespace mazur {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class ReportsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new Scratch;
    const auto built = spawn({FAKE_MAZUR, "c++", "-rdynamic", FIXTURE, "-o", *folder_ / "program"});
    ASSERT_EQ(built.code, 0) << built.err;
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override { fs::copy_file(*folder_ / "program", here_ / "program"); }

  Finished check(std::vector<std::string> words, const std::string& argument = "bug",
                 const std::vector<std::string>& variables = {}) const {
    words.insert(words.begin(), {FAKE_MAZUR, "check", "./program"});
    words.insert(words.end(), {"--", argument});
    return spawn(words, here_.path(), variables);
  }
  // The sentence of a run that ends before it has begun.
  std::string refused(const std::vector<std::string>& words) const {
    const auto ended = check(words);
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_FALSE(fs::exists(here_ / "program-1.trace")) << "it has run";
    return ended.err;
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(here_.path()))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  static Scratch* folder_;
  Scratch here_;
};

Scratch* ReportsTest::folder_ = nullptr;

void expect_valid(const std::string& schema, const Json& json) {
  for (const std::string& problem : test::Schema(SOURCE_DIR + schema).violations(json))
    ADD_FAILURE() << problem << "\n" << json.dump(1);
}
void expect_result(const std::string& text) {
  expect_valid("/docs/schemas/result.schema.json", Json::parse(text));
}
void expect_sarif(const std::string& text) {
  expect_valid("/tests/report/checks/sarif.schema.json", Json::parse(text));
}

TEST_F(ReportsTest, AllAtOnce) {
  const auto bug =
      check({"--json=r.json", "--junit=r.xml", "--sarif=r.sarif", "--annotations=github"});
  EXPECT_EQ(bug.code, 1);
  EXPECT_EQ(bug.err, "");
  EXPECT_TRUE(contains(bug.out, "Assertion failed in thread 1")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "\n::error file=")) << bug.out;
  EXPECT_TRUE(contains(bug.out, "line=5,title=Assertion failed (./program bug)::")) << bug.out;
  expect_result(contents_of(here_ / "r.json"));
  expect_sarif(contents_of(here_ / "r.sarif"));
  const Json json = Json::parse(contents_of(here_ / "r.json"));
  EXPECT_EQ(json["program"], "./program");
  EXPECT_EQ(json["arguments"], Json::array({"bug"}));
  EXPECT_EQ(json["directory"], fs::canonical(here_.path()).string());
  EXPECT_EQ(json["errors"][0]["output"], "printed before\n");
  const test::Element suite =
      test::read_xml(contents_of(here_ / "r.xml")).children.at(0).children.at(0);
  EXPECT_EQ(suite.attributes.at("name"), "./program bug");
  EXPECT_EQ(suite.child("system-out")->text, "printed before\n");
  EXPECT_EQ(files(),
            (std::vector<std::string>{"program", "program-1.trace", "r.json", "r.sarif", "r.xml"}));
}

TEST_F(ReportsTest, OtherVerdicts) {
  for (const std::string what : {"verified", "incomplete", "crash"}) {
    const auto run =
        check({"--json=r.json", "--junit=r.xml", "--sarif=r.sarif", "--annotations=github"}, what);
    expect_result(contents_of(here_ / "r.json"));
    expect_sarif(contents_of(here_ / "r.sarif"));
    const test::Element suite = test::read_xml(contents_of(here_ / "r.xml")).children.at(0);
    EXPECT_EQ(suite.attributes.at("failures"), "0");
    EXPECT_EQ(suite.attributes.at("skipped"), what == "incomplete" ? "1" : "0");
    EXPECT_EQ(suite.attributes.at("errors"), what == "crash" ? "1" : "0");
    EXPECT_EQ(contains(run.out, "\n::warning title=incomplete"), what == "incomplete") << run.out;
    EXPECT_EQ(contains(run.out, "\n::error title=unsupported"), what == "crash") << run.out;
  }
}

TEST_F(ReportsTest, OneOfThemToStandardOutput) {
  for (const std::string name : {"-", "/dev/stdout"}) {
    const auto xml = check({"--junit=" + name, "--sarif=r.sarif", "--annotations=github"});
    EXPECT_EQ(test::read_xml(xml.out).name, "testsuites");
    EXPECT_TRUE(contains(xml.err, "Assertion failed")) << xml.err;
    EXPECT_TRUE(contains(xml.err, "\n::error ")) << xml.err;
    expect_sarif(check({"--sarif=" + name}).out);
    expect_result(check({"--json", name}).out);
  }
  EXPECT_TRUE(fs::is_symlink("/dev/stdout"));
}

TEST_F(ReportsTest, WhatTheProgramPrintedIsLeftOutIfAsked) {
  check({"--json=r.json", "--junit=r.xml", "--output=none"});
  EXPECT_FALSE(contains(contents_of(here_ / "r.json"), "printed before"));
  EXPECT_FALSE(contains(contents_of(here_ / "r.xml"), "printed before"));
}

TEST_F(ReportsTest, WhereNothingCanBeWrittenNothingIsRun) {
  fs::create_directory(here_ / "folder");
  here_.write("file", "kept");
  for (const std::string option : {"--json", "--junit", "--sarif"}) {
    const std::string end = "' (" + option + "): ";
    EXPECT_EQ(refused({option + "=no/r"}),
              "mazur: the result cannot be written to 'no/r" + end + "there is no folder 'no'.\n");
    EXPECT_EQ(refused({option + "=folder"}),
              "mazur: the result cannot be written to 'folder" + end + "that is a folder.\n");
    EXPECT_TRUE(refused({option + "=file/r"}).ends_with("there is no folder 'file'.\n"));
    EXPECT_TRUE(refused({option + "=/proc/r"}).ends_with("No such file or directory.\n"));
    EXPECT_TRUE(refused({option + "=" + std::string(300, 'x')}).ends_with("File name too long.\n"));
    EXPECT_EQ(refused({option + "="}), "mazur: " + option + " takes a file name or -.\n");
  }
  EXPECT_EQ(refused({"--annotations=gitlab"}),
            "mazur: --annotations takes github, not 'gitlab'. Did you mean github?\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"file", "folder", "program"}));
  EXPECT_EQ(contents_of(here_ / "file"), "kept");
}

TEST_F(ReportsTest, NothingIsWrittenOver) {
  EXPECT_EQ(refused({"--json=-", "--sarif=-"}),
            "mazur: --json and --sarif cannot both go to standard output: name two files.\n");
  EXPECT_EQ(refused({"--json=r", "--junit=./r"}),
            "mazur: --json and --junit cannot both go to './r': name two files.\n");
  fs::create_symlink("r", here_ / "link");
  EXPECT_EQ(refused({"--junit=r", "--sarif=link"}),
            "mazur: --junit and --sarif cannot both go to 'link': name two files.\n");
  const std::string needed = "', which this run needs: name another file.\n";
  EXPECT_EQ(refused({"--sarif=program"}), "mazur: --sarif would write over './program" + needed);
  fs::create_symlink("program", here_ / "same");
  EXPECT_EQ(refused({"--json=same"}), "mazur: --json would write over './program" + needed);
  EXPECT_EQ(refused({"--json=run.db", "--ledger=./run.db"}),
            "mazur: --json would write over './run.db" + needed);
  here_.write("a.cpp", contents_of(FIXTURE));
  const auto source = spawn({FAKE_MAZUR, "check", "a.cpp",
                             "--junit=../" + fs::path(here_.path()).filename().string() + "/a.cpp"},
                            here_.path());
  EXPECT_EQ(source.err, "mazur: --junit would write over 'a.cpp" + needed);
  EXPECT_EQ(contents_of(here_ / "a.cpp"), contents_of(FIXTURE));
}

TEST_F(ReportsTest, LinksStayAndOldReportsStayUntilTheEnd) {
  here_.write("first.xml", "old");
  fs::create_symlink("first.xml", here_ / "latest.xml");
  here_.write("broken.cpp", "int main() { return undeclared; }");
  EXPECT_EQ(spawn({FAKE_MAZUR, "check", "broken.cpp", "--junit=latest.xml"}, here_.path()).code, 2);
  EXPECT_EQ(contents_of(here_ / "first.xml"), "old");
  EXPECT_EQ(check({"--junit=latest.xml"}).code, 1);
  EXPECT_TRUE(fs::is_symlink(here_ / "latest.xml"));
  EXPECT_EQ(test::read_xml(contents_of(here_ / "first.xml")).name, "testsuites");
}

// As when the disk has become full in the meantime.
TEST_F(ReportsTest, WhatCannotBeWrittenInTheEndTakesNothingElseAlong) {
  const auto run = check({"--json=/dev/full", "--junit=r.xml", "--sarif=r.sarif"});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "mazur: the result could not be written to '/dev/full'.\n");
  EXPECT_TRUE(contains(run.out, "bug: 1 error found")) << run.out;
  EXPECT_EQ(test::read_xml(contents_of(here_ / "r.xml")).name, "testsuites");
  expect_sarif(contents_of(here_ / "r.sarif"));
  EXPECT_TRUE(fs::exists(here_ / "program-1.trace"));
}

TEST_F(ReportsTest, FilesAreNamedFromTheRepository) {
  const std::string deep = here_ / "deep";
  fs::create_directory(deep);
  fs::copy_file(FIXTURE, deep + "/bug.cpp");
  const auto run =
      spawn({FAKE_MAZUR, "check", "bug.cpp", "-rdynamic", "--annotations=github", "--", "bug"},
            deep, {"GITHUB_WORKSPACE=" + fs::canonical(here_.path()).string()});
  EXPECT_TRUE(contains(run.out, "\n::error file=deep/bug.cpp,line=5,")) << run.out;
}

TEST_F(ReportsTest, ReplaysHaveThemToo) {
  ASSERT_EQ(check({}).code, 1);
  const auto replay = [this](const std::vector<std::string>& words) {
    std::vector<std::string> command{FAKE_MAZUR, "replay", "program-1.trace"};
    command.insert(command.end(), words.begin(), words.end());
    return spawn(command, here_.path());
  };
  const auto again =
      replay({"--json=r.json", "--junit=-", "--sarif=r.sarif", "--annotations=github"});
  EXPECT_EQ(again.code, 1) << again.err;
  const test::Element one = test::read_xml(again.out).children.at(0).children.at(0);
  EXPECT_EQ(one.attributes.at("name"), "program-1.trace bug");
  EXPECT_NE(one.child("failure"), nullptr);
  expect_result(contents_of(here_ / "r.json"));
  expect_sarif(contents_of(here_ / "r.sarif"));
  EXPECT_TRUE(contains(again.err, "\n::error ")) << again.err;
  const auto over = replay({"--sarif=program-1.trace"});
  EXPECT_EQ(over.code, 2);
  EXPECT_TRUE(contains(over.err, "--sarif would write over 'program-1.trace'")) << over.err;
}

// What a program may be called, its arguments and its output may have.
TEST_F(ReportsTest, HostileNames) {
  const std::string name = "]]> <&\"' %0A::error::x,\r\n\x1b[31m \xff {0} [a](1)";
  fs::rename(here_ / "program", here_ / name);
  const auto run = spawn({FAKE_MAZUR, "check", "./" + name, "--json=r.json", "--junit=r.xml",
                          "--sarif=r.sarif", "--annotations=github", "--", "bug", name},
                         here_.path());
  EXPECT_EQ(run.code, 1) << run.err;
  expect_result(contents_of(here_ / "r.json"));
  expect_sarif(contents_of(here_ / "r.sarif"));
  EXPECT_EQ(test::read_xml(contents_of(here_ / "r.xml")).name, "testsuites");
  std::istringstream lines(run.out);
  std::size_t commands = 0;
  for (std::string line; std::getline(lines, line);) commands += line.starts_with("::") ? 1 : 0;
  EXPECT_EQ(commands, 1u) << run.out;
}

}  // namespace
}  // namespace mazur
