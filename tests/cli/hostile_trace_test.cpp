// Trace files that somebody crafted: nothing that they ask for is run without the user's word.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/hash.h"
#include "cli/build/rebuild.h"
#include "cli/usage.h"
#include "report/findings/files.h"
#include "report/findings/trace_file.h"
#include "spawn.h"

namespace mazur {
namespace {

namespace fs = std::filesystem;

class HostileTrace : public testing::Test {
 protected:
  void SetUp() override {
    here_.write("bank.cpp", contents_of(FIXTURE));
    ASSERT_EQ(spawn({FAKE_MAZUR, "check", "bank.cpp", "-rdynamic", "--", "bug"}, here_.path()).code,
              1);
    file_ = std::get<TraceFile>(decode_trace(contents_of(here_ / "bank-1.trace")));
  }
  // Replays file_ as it is now.
  Finished replay(const std::vector<std::string>& options = {}) const {
    here_.write("crafted.trace", encode_trace(file_));
    std::vector<std::string> words{FAKE_MAZUR, "replay", "crafted.trace"};
    words.insert(words.end(), options.begin(), options.end());
    return spawn(words, here_.path());
  }
  // Nothing was run, for this reason, and only --rebuild (or --program) would change that.
  void expect_asks(std::string_view reason) const {
    const auto asked = replay();
    EXPECT_EQ(asked.code, 2) << asked.err;
    EXPECT_TRUE(contains(asked.err, "nothing was run")) << asked.err;
    EXPECT_TRUE(contains(asked.err, reason)) << reason << '\n' << asked.err;
    EXPECT_EQ(asked.out, "");
  }
  void expect_refuses(std::string_view part) const {
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, std::vector<std::string>{"--rebuild"}}) {
      const auto refused = replay(options);
      EXPECT_EQ(refused.code, 2) << refused.err;
      EXPECT_TRUE(contains(refused.err, part)) << part << '\n' << refused.err;
      EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
      EXPECT_FALSE(fs::exists(here_ / "ran"));
    }
  }
  Scratch here_;
  TraceFile file_;
};

// The file of an older version, whose commands used to be run.
TEST_F(HostileTrace, CommandsInAnOldFileAreNotRun) {
  std::string header =
      R"({"program": {"path": "x", "hash": 1, "arguments": [], "directory": "/"},
          "build": {"directory": "/tmp", "compile": [["sh", "-c", "touch HERE/ran"]],
                    "link": ["sh", "-c", "touch HERE/ran"], "output": "x"},
          "options": {"algorithm": "optimal", "isolation": 0, "races": 0, "max_steps": 1},
          "places": {"code": [], "objects": []}})";
  while (contains(header, "HERE")) header.replace(header.find("HERE"), 4, here_.path());
  std::string record = encode(file_.finding.record);
  record.resize(record.size() - 3);  // the sizes of lists that there were not yet
  const auto write = [&](unsigned version) {
    const std::string body = std::to_string(header.size()) + " " + std::to_string(record.size()) +
                             "\n" + header + record;
    char checksum[32];
    std::snprintf(checksum, sizeof checksum, "%016lx\n",
                  static_cast<unsigned long>(trace_checksum(version, body)));
    here_.write("old.trace", "mazur-trace " + std::to_string(version) + "\n" + checksum + body);
  };
  write(2);
  for (const char* option : {"--times=1", "--rebuild"}) {
    const auto replayed = spawn({FAKE_MAZUR, "replay", "old.trace", option}, here_.path());
    EXPECT_EQ(replayed.code, 2);
    EXPECT_EQ(replayed.err,
              "mazur: 'old.trace' was written by an older Mazur and lists commands, which are not "
              "run any more: build the program yourself and name it with --program=PATH, or check "
              "it again.\n");
  }
  const auto shown = spawn({FAKE_MAZUR, "show", "old.trace"}, here_.path());
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_TRUE(contains(shown.out, "counter == 41")) << shown.out;
  write(3);
  EXPECT_EQ(spawn({FAKE_MAZUR, "replay", "old.trace", "--rebuild"}, here_.path()).err,
            "mazur: 'old.trace' is damaged: its header cannot be read.\n");
  EXPECT_FALSE(fs::exists(here_ / "ran"));
}

TEST_F(HostileTrace, FlagsThatRunOrLoadCodeAreRefused) {
  here_.write("response", "-wrapper\nsh,-c,touch ran\n");
  const std::vector<std::vector<std::string>> all = {{"-wrapper", "sh,-c,touch ran"},
                                                     {"-fplugin=./x.so"},
                                                     {"-specs=x"},
                                                     {"-B."},
                                                     {"-B", "."},
                                                     {"@response"},
                                                     {"-Xclang", "-load"},
                                                     {"-fuse-ld=./ran.sh"},
                                                     {"-Wl,--plugin,./x.so"},
                                                     {"-Wl,-T,x"},
                                                     {"-T", "x"},
                                                     {"-Wl,-dynamic-linker,./x"},
                                                     {"-Wl,--audit,./x.so"},
                                                     {"-Wa,-a=ran"},
                                                     {"-Wp,-MD,ran"},
                                                     {"-o", "ran"},
                                                     {"-MF", "ran"},
                                                     {"-save-temps"},
                                                     {"-l:../x.so"},
                                                     {"-I=/tmp"},
                                                     {"-L$ORIGIN"},
                                                     {"-no-integrated-as"},
                                                     {"-x", "assembler"},
                                                     {"--config", "x"},
                                                     {"-fnobody-knows-it"},
                                                     {"x.sh"},
                                                     {"-mllvm", "-load=./x.so"},
                                                     {"-D", "A\nB"},
                                                     {""}};
  for (const auto& flags : all) {
    file_.recipe.flags = flags;
    expect_refuses("nothing is built for 'crafted.trace': ");
  }
}

TEST_F(HostileTrace, ASourceIsAFileAndNoFlag) {
  for (const char* name : {"@response.c", "-wrapper.c", "bank.sh", "a\nb.cpp", ""}) {
    file_.recipe.sources[0].path = name;
    expect_refuses("is no name of a source file");
  }
}

TEST_F(HostileTrace, ACompilerByItsPathIsNone) {
  here_.write("evil", "#!/bin/sh\ntouch ran\n");
  fs::permissions(here_ / "evil", fs::perms::all);
  file_.recipe.compiler = here_ / "evil";
  expect_refuses("is damaged: its header cannot be read");
}

TEST_F(HostileTrace, CodeFromElsewhereIsAskedAbout) {
  const Scratch elsewhere;
  const std::vector<std::string> good = file_.recipe.flags;
  ASSERT_EQ(replay().code, 1);
  const auto with = [&](std::initializer_list<std::string> more) {
    file_.recipe.flags = good;
    file_.recipe.flags.insert(file_.recipe.flags.end(), more);
  };
  with({"-DN=3", "-UM", "-O1", "-std=c++20", "-Wall", "-I.", "-lm", "-Wl,--as-needed"});
  EXPECT_EQ(replay().code, 1) << replay().err;
  with({"-Dputs=system"});
  expect_asks("-Dputs=system can put any code into the program");
  EXPECT_EQ(replay({"--rebuild"}).code, 1);
  with({"-I" + elsewhere.path()});
  expect_asks("is neither below the current folder nor the system's");
  with({"-L", elsewhere.path(), "-lm"});
  expect_asks("is neither below the current folder nor the system's");
  with({"-Wl,-rpath," + elsewhere.path()});
  expect_asks("is neither below the current folder nor the system's");
  fs::create_symlink(elsewhere.path(), here_ / "include");
  with({"-Iinclude"});
  expect_asks("is neither below the current folder nor the system's");
  here_.write("more.o", "");
  with({"more.o"});
  expect_asks("the trace does not say what was in 'more.o'");
  file_.recipe.objects = {{"more.o", 5}};
  expect_asks("'more.o' has changed since the trace was written");
}

TEST_F(HostileTrace, SourcesElsewhereAreAskedAbout) {
  const Scratch elsewhere;
  fs::copy(here_ / "bank.cpp", elsewhere / "bank.cpp");
  const std::vector<std::string> names = {
      elsewhere / "bank.cpp", "../" + fs::path(elsewhere.path()).filename().string() + "/bank.cpp",
      "link.cpp"};
  fs::create_symlink(elsewhere / "bank.cpp", here_ / "link.cpp");
  for (const std::string& name : names) {
    file_.recipe.sources[0].path = name;
    expect_asks("' is not below the current folder");
  }
  // A pipe is not waited for.
  ASSERT_EQ(mkfifo((here_ / "pipe.cpp").c_str(), 0600), 0);
  file_.recipe.sources[0].path = "pipe.cpp";
  expect_asks("'pipe.cpp' is gone or no file");
}

TEST_F(HostileTrace, HowTheProgramIsCalledIsAskedAbout) {
  file_.arguments = {"bug", "/etc/passwd"};
  expect_asks("it would get the argument /etc/passwd");
  file_.arguments = {"bug", ".."};
  expect_asks("it would get the argument ..");
  file_.arguments = {"bug"};
  file_.directory = "/tmp";
  expect_asks("it would run in '/tmp'");
}

TEST_F(HostileTrace, AnExecutableElsewhereIsAskedAbout) {
  ASSERT_EQ(spawn({FAKE_MAZUR, "c++", "-rdynamic", "bank.cpp", "-o", "prog"}, here_.path()).code,
            0);
  file_.recipe = {};
  file_.program = here_ / "prog";
  file_.program_hash = fnv1a(contents_of(here_ / "prog"));
  EXPECT_EQ(replay().code, 1) << replay().err;
  ++file_.program_hash;
  expect_asks("has changed since the trace was written: name the program with --program=PATH");
  EXPECT_EQ(replay({"--rebuild"}).code, 2);
  EXPECT_EQ(replay({"--program=./prog"}).code, 1);
  --file_.program_hash;
  const Scratch elsewhere;
  fs::copy(here_ / "prog", elsewhere / "prog");
  fs::create_symlink(elsewhere / "prog", here_ / "link");
  for (const std::string& path : {elsewhere / "prog", here_ / "link"}) {
    file_.program = path;
    expect_asks("is not below the current folder");
  }
  file_.program = "prog";
  expect_refuses("does not say where its program lies");
}

// What is typed at a terminal when the question comes; returns the exit code.
int answered(const std::string& folder, const std::string& answer, std::string& shown) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    if (chdir(folder.c_str()) != 0) _exit(126);
    execl(FAKE_MAZUR, FAKE_MAZUR, "replay", "crafted.trace", nullptr);
    _exit(126);
  }
  char buffer[4096];
  bool written = false;
  for (ssize_t got = 0; (got = read(terminal, buffer, sizeof buffer)) > 0;) {
    shown.append(buffer, static_cast<std::size_t>(got));
    if (!written && contains(shown, "[y/N]")) {
      written = write(terminal, answer.data(), answer.size()) > 0;
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(HostileTrace, ATerminalIsAsked) {
  file_.recipe.flags.push_back("-DX=y");
  here_.write("crafted.trace", encode_trace(file_));
  for (const char* no : {"\n", "n\n", "no\n"}) {
    std::string shown;
    EXPECT_EQ(answered(here_.path(), no, shown), 2) << shown;
    EXPECT_TRUE(contains(shown, "-DX=y can put any code")) << shown;
    EXPECT_TRUE(contains(shown, " && g++ ")) << shown;
    EXPECT_TRUE(contains(shown, "nothing was run.")) << shown;
  }
  std::string shown;
  EXPECT_EQ(answered(here_.path(), "y\n", shown), 1) << shown;
}

}  // namespace
}  // namespace mazur
