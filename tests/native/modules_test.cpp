// Programs that call code which was not compiled for Mazur: what the check says about it.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

// Two atomic instructions.
constexpr char kUnseenLibrary[] = R"(
#include <pthread.h>
static int count, held;
int library_add(void) { return __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST); }
void* library_thread(void* p) { library_add(); return p; }
void library_lock(void) { while (__atomic_exchange_n(&held, 1, __ATOMIC_SEQ_CST)); }
void library_unlock(void) { __atomic_store_n(&held, 0, __ATOMIC_RELEASE); }
int library_call(int (*function)(void)) { return function() + 1; }
void library_start(pthread_t* t, void* (*f)(void*)) { pthread_create(t, 0, f, 0); library_add(); }
)";

constexpr char kHeader[] = R"(
#include <assert.h>
#include <pthread.h>
int library_add(void);
void* library_thread(void*);
void library_lock(void);
void library_unlock(void);
int library_call(int (*)(void));
void library_start(pthread_t*, void* (*)(void*));
#include <mazur/mazur.h>
)";

class ModulesTest : public testing::Test {
 protected:
  void SetUp() override { build_library("libunseen.so.1", kUnseenLibrary); }

  void build_library(const std::string& name, const std::string& source) {
    const std::string file = folder_.write(name + ".c", source);
    const Finished gcc = spawn({"gcc", "-shared", "-fPIC", "-O1", "-g", "-Wl,-soname," + name, file,
                                "-o", folder_ / name});
    ASSERT_EQ(gcc.code, 0) << gcc.err;
  }

  MazurRun check(const std::string& program, const std::vector<std::string>& options = {},
                 const std::string& library = "libunseen.so.1") {
    const std::string source = folder_.write("program.c", kHeader + program);
    std::vector<std::string> words{"check",
                                   source,
                                   folder_ / library,
                                   "-Wl,-rpath," + folder_.path(),
                                   "-O1",
                                   "--json=result.json",
                                   "--no-trace",
                                   "--minimise=0"};
    words.insert(words.end(), options.begin(), options.end());
    return run_mazur(words, folder_.path());
  }

  static nlohmann::json module(const MazurRun& run, const std::string& name) {
    for (const auto& module : run.result["modules"])
      if (module["name"] == name) return module;
    return nullptr;
  }

  static void expect_no_proof(const MazurRun& run, const std::string& line) {
    EXPECT_EQ(run.verdict(), "incomplete") << run.text;
    EXPECT_EQ(run.exit_code, 3);
    const std::string reason = run.result.value("reason", "");
    for (const std::string& part :
         {std::string("libunseen.so.1 (2 atomic instructions, 0 system calls, 1 threading"),
          std::string("--trust=libunseen.so.1"), std::string("mazur c++"), line})
      EXPECT_NE(reason.find(part), std::string::npos) << part << "\n" << reason;
    EXPECT_TRUE(module(run, "libunseen.so.1")["called"].get<bool>());
  }

  Scratch folder_;
};

// Natively, the assertion fails in some runs.
constexpr char kOrder[] = R"(
static int mine;
static void* other(void* p) { library_add(); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  mine = library_add();
  pthread_join(t, 0);
  assert(mine == 0);
})";

TEST_F(ModulesTest, ThreadsThatCallAnUnseenLibraryAreNotVerified) {
  expect_no_proof(check(kOrder), "program.c:17");
}

TEST_F(ModulesTest, NorWhereEveryExecutionIsAProcess) {
  expect_no_proof(check(kOrder, {"--isolation=fork"}), "program.c:17");
}

TEST_F(ModulesTest, TrustIsSaidInTheVerdict) {
  for (const char* name : {"libunseen.so.1", "libunseen"}) {
    const MazurRun run = check(kOrder, {std::string("--trust=") + name, "--trust=libabsent"});
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.result["trusted"], nlohmann::json({"libunseen.so.1"}));
    EXPECT_NE(run.text.find("trusting libunseen.so.1"), std::string::npos) << run.text;
    EXPECT_NE(run.text.find("--trust=libabsent names nothing"), std::string::npos) << run.text;
  }
}

TEST_F(ModulesTest, AnUnseenLibraryMayBeCalledWhileThereIsOneThread) {
  const MazurRun run = check(R"(
static void* other(void* p) { return p; }
static int run(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  return (int)mazur_choose(3);
}
int main(void) {
  library_add();
  assert(library_call(run) < 4);  // its frame waits below main's threads
  library_add();
})");
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(run.complete(), 3);
  EXPECT_FALSE(module(run, "libunseen.so.1")["called"].get<bool>());
  EXPECT_FALSE(run.result.contains("trusted"));
}

TEST_F(ModulesTest, ACallInASingleScheduleIsEnough) {
  // In all of them the library is called before there are threads.
  expect_no_proof(check(R"(
static int turn;
static void* other(void* p) {
  if (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) == 2) library_add();
  return p;
}
int main(void) {
  library_add();
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  __atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&turn, 2, __ATOMIC_SEQ_CST);
  __atomic_store_n(&turn, 3, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
})"),
                  "program.c:14");
}

TEST_F(ModulesTest, AThreadThatStartsInTheLibraryIsACall) {
  const MazurRun run = check(R"(
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, library_thread, 0);
  pthread_join(t, 0);
})");
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
}

TEST_F(ModulesTest, AReturnIntoTheLibraryIsACall) {
  // It creates a thread itself.
  expect_no_proof(check(R"(
static void* other(void* p) { return p; }
int main(void) {
  pthread_t t;
  library_start(&t, other);
  pthread_join(t, 0);
})"),
                  "program.c:15");
}

TEST_F(ModulesTest, ARaceThatMayBeDueToAnUnseenLockSaysSo) {
  const MazurRun run = check(R"(
static int x;
static void* other(void* p) { library_lock(); ++x; library_unlock(); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  other(0);
  pthread_join(t, 0);
})");
  EXPECT_EQ(run.verdict(), "bug") << run.text;
  const nlohmann::json& error = run.result["errors"][0];
  EXPECT_EQ(error["kind"], "data-race");
  EXPECT_NE(error.value("hint", "").find("libunseen.so.1 (2 atomic"), std::string::npos)
      << error.dump(1);
  EXPECT_NE(run.text.find("hint: this may be no error"), std::string::npos) << run.text;
}

TEST_F(ModulesTest, ARaceWithoutUnseenCodeHasNoHint) {
  const MazurRun run = check(R"(
static int x;
static void* other(void* p) { ++x; return p; }
int main(void) {
  library_add();
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  other(0);
  pthread_join(t, 0);
})");
  EXPECT_EQ(run.verdict(), "bug") << run.text;
  EXPECT_FALSE(run.result["errors"][0].contains("hint")) << run.text;
}

TEST_F(ModulesTest, AQuietLibraryIsNoObstacle) {
  build_library("libquiet.so", "int quiet(int a, int b) { return a * a + b; }");
  const MazurRun run = check(R"(
int quiet(int, int);
static void* other(void* p) { assert(quiet(2, 3) == 7); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  other(0);
  pthread_join(t, 0);
})",
                             {}, "libquiet.so");
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(module(run, "libquiet.so")["class"], "quiet");
}

TEST_F(ModulesTest, AssemblyInTheProgramIsNotSeenEither) {
  const std::string program = R"(
static int count;
__attribute__((noinline)) static void add(void) { __asm__ volatile("lock incl %0" : "+m"(count)); }
static void* other(void* p) { if (p != 0) add(); return p; }
int main(void) {
  add();
  pthread_t t;
  pthread_create(&t, 0, other, ARGUMENT);
  pthread_join(t, 0);
  add();
})";
  const MazurRun alone = check(program, {"-DARGUMENT=0"});
  EXPECT_EQ(alone.verdict(), "verified") << alone.text;
  EXPECT_EQ(module(alone, "program")["atomic_instructions"], 1);
  const MazurRun beside = check(program, {"-DARGUMENT=&count"});
  EXPECT_EQ(beside.verdict(), "incomplete") << beside.text;
  const std::string reason = beside.result.value("reason", "");
  EXPECT_NE(reason.find("first at program.c:13"), std::string::npos) << reason;
  EXPECT_NE(reason.find("program (in part: 1 atomic instruction, 0 system calls)"),
            std::string::npos)
      << reason;
}

TEST_F(ModulesTest, AProgramThatIsOnlyLinkedForMazurIsUnseen) {
  const std::string source = folder_.write("plain.c", R"(
#include <pthread.h>
static void* other(void* p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  return pthread_join(t, 0);
})");
  ASSERT_EQ(spawn({"gcc", "-c", "-g", source, "-o", folder_ / "plain.o"}).code, 0);
  ASSERT_EQ(spawn({"gcc", "-fsanitize=thread", folder_ / "plain.o", "-o", folder_ / "plain"}).code,
            0);
  const MazurRun run =
      run_mazur({"check", folder_ / "plain", "--json=result.json"}, folder_.path());
  EXPECT_EQ(run.verdict(), "incomplete") << run.text;
}

TEST_F(ModulesTest, DoctorListsThem) {
  const std::string source = folder_.write("program.c", kHeader + std::string(kOrder));
  const MazurRun built = run_mazur(
      {"cc", source, folder_ / "libunseen.so.1", "-Wl,-rpath,.", "-o", folder_ / "program"},
      folder_.path());
  ASSERT_EQ(built.exit_code, 0) << built.text;
  const MazurRun run = run_mazur({"doctor", folder_ / "program"}, folder_.path());
  EXPECT_EQ(run.exit_code, 0) << run.text;
  for (const char* row : {"instrumented       0      0", "unseen             2      0        1",
                          "known              -      -        -"})
    EXPECT_NE(run.text.find(row), std::string::npos) << row << "\n" << run.text;
  EXPECT_EQ(run_mazur({"doctor", folder_ / "absent"}, folder_.path()).exit_code, 2);
  EXPECT_EQ(run_mazur({"doctor", "/bin/true"}, folder_.path()).exit_code, 2);
}

}  // namespace
}  // namespace mazur::test
