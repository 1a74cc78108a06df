// A ledger in a file: what is refused, in one sentence each, and what a full disk leaves.
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "executions.h"
#include "work/ledger.h"
#include "work/sqlite/process_name.h"

namespace mazur::test {
namespace {

namespace fs = std::filesystem;

class SqliteTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (fs::temp_directory_path() / "mazur-sqlite-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    chmod(folder.c_str(), 0755);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name = "run.db") const { return folder_ / name; }
  std::string written(const std::string& name, const std::string& bytes) const {
    std::ofstream(file(name)) << bytes;
    return file(name);
  }
  static std::string contents(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  static std::unique_ptr<Ledger> open(const std::string& path, Opening opening = Opening::kCreate) {
    return std::make_unique<Ledger>(open_store(path, opening),
                                    RunFacts{.terms = "terms", .keep_going = true});
  }
  // Why it is refused; nothing in the file may change.
  static std::string refusal(const std::string& path, Opening opening = Opening::kCreate) {
    const std::string before = fs::is_regular_file(path) ? contents(path) : "";
    std::string why;
    try {
      open(path, opening)->result();
    } catch (const LedgerError& error) {
      why = error.what();
    }
    if (fs::is_regular_file(path)) {
      EXPECT_EQ(contents(path), before) << path;
    }
    return why;
  }
  void execute(const std::string& path, const char* sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }
  // In a child process, as somebody who is not root. Returns its exit code.
  template <typename Work>
  static int as_nobody(Work work) {
    const pid_t child = fork();
    if (child == 0) {
      if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(9);
      _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  fs::path folder_;
};

TEST_F(SqliteTest, WhatIsNoLedgerIsRefused) {
  const auto expect = [](const std::string& why, const std::string& part) {
    EXPECT_NE(why.find(part), std::string::npos) << "'" << why << "' has no '" << part << "'";
    EXPECT_EQ(why.find('\n'), std::string::npos);
  };
  expect(refusal(written("text", std::string(5000, 'x'))), "is no ledger of Mazur");
  expect(refusal(written("short", "hello")), "is no ledger of Mazur");
  expect(refusal(folder_), "is no ordinary file");
  expect(refusal(file("absent/run.db")), "cannot be opened");
  expect(refusal(file("absent"), Opening::kJoin), "there is no ledger");
  expect(refusal(file("absent"), Opening::kLook), "there is no ledger");
  expect(refusal(""), "needs a name");
  expect(refusal("mysql://host/x"), "no kind of ledger");
  EXPECT_FALSE(fs::exists(file("absent")));

  execute(file("other"), "CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  expect(refusal(file("other")), "database of another program");
  execute(file("theirs"), "CREATE TABLE t (x); PRAGMA application_id = 7");
  expect(refusal(file("theirs")), "database of another program");

  open(file("later")).reset();
  execute(file("later"), "PRAGMA user_version = 3");
  expect(refusal(file("later")), "has the format 3 of another version");

  open(file("empty")).reset();
  execute(file("empty"), "DELETE FROM run");
  EXPECT_THROW(Ledger(open_store(file("empty"), Opening::kJoin)), LedgerError);
}

TEST_F(SqliteTest, AnEmptyFileBecomesALedger) {
  open(written("fresh", "")).reset();
  EXPECT_TRUE(open(file("fresh"), Opening::kJoin)->claim());
}

TEST_F(SqliteTest, ANameIsAFile) {
  const fs::path here = fs::current_path();
  fs::current_path(folder_);
  open(":memory:").reset();
  open("file:x?mode=memory").reset();
  fs::current_path(here);
  EXPECT_TRUE(fs::exists(file(":memory:")));
  EXPECT_TRUE(fs::exists(file("file:x?mode=memory")));
}

// Wherever a file is damaged: it is refused, or it says what it would have said.
TEST_F(SqliteTest, DamageIsNoticed) {
  const Executions program{.size = 200, .seed = 3, .keep_going = true};
  {
    const auto ledger = open(file());
    RandomSource random(1, 1);
    for (int i = 0; i < 12; ++i) {
      const auto claim = ledger->claim();
      Slice slice = program.explore(claim->offer.piece, random);
      ledger->finish(*claim, slice.end, slice.errors);
    }
  }
  const std::string good = contents(file());
  unsigned noticed = 0, rounds = 0;
  RandomSource random(2, 2);
  for (; rounds < 150; ++rounds) {
    std::string bad = good;
    std::size_t at = 0;  // most of a small file is empty, and nobody reads that
    do {
      at = random.below(static_cast<std::uint32_t>(bad.size()));
    } while (bad[at] == 0);
    for (std::size_t i = at; i < std::min(at + 1 + random.below(64), bad.size()); ++i)
      bad[i] = static_cast<char>(random.next());
    for (const char* more : {"-wal", "-shm"}) fs::remove(file() + more);
    std::ofstream(file()) << bad;
    try {
      const auto ledger = open(file());
      RandomSource again(1, 1);
      while (!ledger->is_over()) {
        const auto claim = ledger->claim();
        if (!claim) throw LedgerError("what is claimed does not come back");
        Slice slice = program.explore(claim->offer.piece, again);
        ledger->finish(*claim, slice.end, slice.errors);
      }
      const Ledger::Result result = ledger->result();
      EXPECT_EQ(found_in(result), program.all()) << at;
    } catch (const LedgerError&) {
      ++noticed;
    }
  }
  EXPECT_GT(noticed, rounds / 10);
  EXPECT_LT(noticed, rounds);
}

TEST_F(SqliteTest, WithoutRights) {
  open(file()).reset();
  EXPECT_EQ(as_nobody([&] {
              if (getuid() != 65534) chmod(file().c_str(), 0444);
              const std::string why = refusal(file());
              return why.find("cannot be") != std::string::npos ? 0 : 1;
            }),
            0);
  chmod(file().c_str(), 0000);
  EXPECT_EQ(as_nobody([&] {
              const std::string why = refusal(file(), Opening::kLook);
              return why.find("cannot be opened") != std::string::npos ? 0 : 1;
            }),
            0);
  chmod(file().c_str(), 0644);
  EXPECT_TRUE(open(file())->claim());
}

// The file may not become larger, as on a disk that is full.
TEST_F(SqliteTest, NoSpaceLeft) {
  open(file()).reset();
  const Executions program{.size = 5000, .seed = 1, .keep_going = true};
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{400'000, 400'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      const auto ledger = open(file());
      ledger->put("large", std::string(150'000, 'x'));
      ledger->put("larger", std::string(150'000, 'x'));
      RandomSource random(1, 1);
      for (;;) {
        const auto claim = ledger->claim();
        if (!claim) _exit(2);
        Slice slice = program.explore(claim->offer.piece, random);
        for (std::string& piece : slice.end.pieces) piece += std::string(2000, ' ');
        ledger->finish(*claim, slice.end, slice.errors);
      }
    } catch (const LedgerError& error) {
      _exit(std::string(error.what()).find("space") != std::string::npos ? 0 : 3);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  // With space again it goes on: nothing is lost.
  const auto ledger = open(file());
  EXPECT_EQ(ledger->get("large"), std::string(150'000, 'x'));
  RandomSource random(2, 1);
  while (!ledger->is_over()) {
    const auto claim = ledger->claim();
    ASSERT_TRUE(claim);
    Slice slice = program.explore(claim->offer.piece, random);
    ledger->finish(*claim, slice.end, slice.errors);
  }
  EXPECT_EQ(found_in(ledger->result()), program.all());
}

TEST_F(SqliteTest, WhoIsDead) {
  const std::string mine = name_of_this_process();
  EXPECT_TRUE(may_live(mine));
  const pid_t child = fork();
  if (child == 0) {
    std::ofstream(file("name")) << name_of_this_process();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const std::string dead = contents(file("name"));
  EXPECT_NE(dead, mine);
  EXPECT_FALSE(may_live(dead));
  EXPECT_TRUE(may_live(""));
  // The same number, given again.
  EXPECT_FALSE(may_live(mine.substr(0, mine.rfind(' ')) + " 1"));
  EXPECT_FALSE(may_live("another-boot" + mine.substr(mine.find(' '))));
  const std::size_t space = mine.find(' ');
  EXPECT_TRUE(may_live(mine.substr(0, space) + " pid:[1] 5 5"));
}

}  // namespace
}  // namespace mazur::test
