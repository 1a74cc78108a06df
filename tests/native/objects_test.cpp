// Mutexes and other objects that are not alive, or destroyed while they are in use: each is an
// error with both places, in whatever order the explored schedules happen to have them.
#include <gtest/gtest.h>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

const std::filesystem::path kObjects = MAZUR_TEST_SOURCES "/native/objects";

// Compiled once for all tests of a suite.
template <typename Names>
class Built : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder = new Scratch;
    program = build(kObjects / Names::kSource, Names::flags(), folder->path());
  }
  static void TearDownTestSuite() { delete folder; }

  static MazurRun check_with(const std::string& argument, std::vector<std::string> options) {
    options.insert(options.begin(), {"check", program.string()});
    options.insert(options.end(),
                   {"--json=result.json", "--no-trace", "--minimise=0", "--", argument});
    return run_mazur(options, folder->path());
  }

  static inline Scratch* folder = nullptr;
  static inline std::filesystem::path program;
};

struct DestroyedNames {
  static constexpr const char* kSource = "destroyed.c";
  static std::vector<std::string> flags() { return {"-O1"}; }
};
struct ReusedNames {
  static constexpr const char* kSource = "reused.cpp";
  static std::vector<std::string> flags() { return {"-O1"}; }
};
using DestroyedObject = Built<DestroyedNames>;
using ReusedObject = Built<ReusedNames>;

struct Case {
  const char* argument;
  const char* message;  // part of it
};
constexpr Case kCases[] = {
    {"mutex", "mutex"},
    {"mutex-try", "mutex"},
    {"mutex-init", "is initialised by main while thread 1 holds it"},
    {"mutex-twice", "mutex"},
    {"mutex-waiter", "mutex"},
    {"condition", "is signalled by thread 1, but main has destroyed it"},
    {"condition-waiter", "condition variable"},
    {"condition-init", "is initialised by main while thread 1 waits on it"},
    {"rwlock", "rwlock"},
    {"rwlock-init", "is initialised by main while thread 1 holds it"},
    {"spinlock", "spinlock"},
    {"spinlock-init", "is initialised by main while thread 1 holds it"},
    {"barrier", "barrier"},
    {"barrier-init", "is initialised by main while thread 1 waits at it"},
    {"semaphore", "is posted by thread 1, but main has destroyed it"},
    {"semaphore-try", "is waited for by thread 1, but main has destroyed it"},
    {"semaphore-waiter", "is waited for by thread 1, but main has destroyed it"},
    {"c11-mutex", "mutex"},
    {"c11-condition", "is signalled by thread 1, but main has destroyed it"},
};

TEST_F(DestroyedObject, IsAnErrorWithBothPlaces) {
  for (const Case& c : kCases) {
    const MazurRun run = check_with(c.argument, {});
    ASSERT_EQ(run.verdict(), "bug") << c.argument << run.text;
    const nlohmann::json& error = run.result["errors"][0];
    EXPECT_EQ(error["kind"], "misuse") << c.argument << run.text;
    EXPECT_NE(error["message"].get<std::string>().find(c.message), std::string::npos)
        << c.argument << error.dump(1);
    std::vector<std::string> functions;
    for (const auto& frame : error["frames"]) functions.push_back(frame["function"]);
    const bool twice = std::string(c.argument) == "mutex-twice";
    for (const std::string place : {"use", "destroy"})
      EXPECT_TRUE(std::find(functions.begin(), functions.end(), place) != functions.end() || twice)
          << c.argument << " " << place << run.text;
  }
}

// A thread that waits for it may be released by whoever has initialised it once more. Then only the
// order of the two calls tells.
TEST_F(DestroyedObject, IsRacedForByInitialisingASemaphoreThatAnotherThreadUses) {
  for (const std::string argument : {"semaphore-init", "semaphore-late"})
    for (const std::string pick : {"--pick=lowest", "--pick=highest", "--algorithm=source"}) {
      const MazurRun run = check_with(argument, {pick});
      ASSERT_EQ(run.verdict(), "bug") << argument << run.text;
      const nlohmann::json& error = run.result["errors"][0];
      EXPECT_EQ(error["kind"], "data-race") << argument << run.text;
      std::set<std::string> functions;
      for (const auto& frame : error["frames"]) functions.insert(frame["function"]);
      EXPECT_TRUE(functions.contains("use") && functions.contains("destroy")) << run.text;
    }
}

TEST_F(DestroyedObject, IsFoundByEveryAlgorithmAndInEveryMode) {
  const auto expect_misuse = [](const std::string& argument, const std::string& option) {
    const MazurRun run = check_with(argument, {option});
    ASSERT_EQ(run.verdict(), "bug") << argument << option << run.text;
    EXPECT_EQ(run.result["errors"][0]["kind"], "misuse") << argument << option << run.text;
  };
  for (const std::string name :
       {"source", "dpor", "lazy", "quasi", "observers", "context", "context-observers", "naive"})
    expect_misuse("mutex-init", "--algorithm=" + name);
  for (const std::string option : {"--races=ignore", "--races=explore", "--isolation=fork"})
    expect_misuse("mutex-init", option);
  // Whatever is tried first.
  for (const std::string argument : {"mutex", "semaphore-try", "barrier", "rwlock", "condition"})
    expect_misuse(argument, "--pick=highest");
}

TEST_F(ReusedObject, IsNoError) {
  for (const std::string argument : {"initialised-again", "frames", "storage", "after-broadcast",
                                     "after-unlock", "after-barrier", "after-wait"}) {
    const MazurRun run = check_with(argument, {});
    EXPECT_EQ(run.verdict(), "verified") << argument << run.text;
  }
}

// Nobody can be in a race with it.
TEST(Objects, OfOneThreadAloneCostNoEvents) {
  const Scratch folder;
  const std::string source = folder.write("program.c", R"(
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m[10];
static sem_t s[10];
static void* use(void* x) {
  pthread_mutex_lock(&m[0]);
  pthread_mutex_unlock(&m[0]);
  return x;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 10; ++i) pthread_mutex_init(&m[i], 0), sem_init(&s[i], 0, 0);
  pthread_create(&t, 0, use, 0);
  use(0);
  pthread_join(t, 0);
  for (int i = 0; i < 10; ++i) pthread_mutex_destroy(&m[i]), sem_destroy(&s[i]);
})");
  const MazurRun run = check(source, {});
  EXPECT_EQ(run.verdict(), "verified") << run.text;
  EXPECT_EQ(run.complete(), 2) << run.text;
  EXPECT_EQ(run.result["events"], 2 * 7) << run.text;
}

}  // namespace
}  // namespace mazur::test
