// -j N: several worker processes come to the result of one.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "cli/spawn.h"
#include "essence.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

// Workers hand back their pieces after so many executions.
class Slices {
 public:
  explicit Slices(int executions) { setenv("MAZUR_SLICE", std::to_string(executions).c_str(), 1); }
  ~Slices() { unsetenv("MAZUR_SLICE"); }
  Slices(const Slices&) = delete;
  Slices& operator=(const Slices&) = delete;
};

class Cores : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::filesystem::temp_directory_path() / ("mazur-cores-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

  static MazurRun run(const std::filesystem::path& program, std::vector<std::string> options) {
    options.insert(options.begin(), {"check", program.string(), "--algorithm=graph", "--no-trace",
                                     "--json=result.json"});
    return run_mazur(options, folder_);
  }
  static void expect_same(const std::filesystem::path& program,
                          const std::vector<std::string>& options) {
    const nlohmann::json one = essence(run(program, options));
    const Slices slices(1);
    std::vector<std::string> more = options;
    more.insert(more.begin(), {"-j", "3"});
    const MazurRun shared = run(program, more);
    EXPECT_EQ(essence(shared), one) << program << "\n" << shared.text;
  }
  static std::filesystem::path write(const std::string& name, const std::string& text) {
    const std::filesystem::path source = folder_ / name;
    std::ofstream(source) << text;
    return build(source, {"-std=c++20", "-O1", "-g"}, folder_);
  }
  static const std::filesystem::path& folder() { return folder_; }

 private:
  static inline std::filesystem::path folder_;
};

std::filesystem::path tests() { return MAZUR_TEST_SOURCES; }

TEST_F(Cores, BugsAreTheSame) {
  for (const std::string& name : programs_in(tests() / "native/bugs")) {
    const std::filesystem::path source = tests() / "native/bugs" / name;
    const std::filesystem::path program = build(source, flags_of(source), folder());
    expect_same(program, {});
    expect_same(program, {"--keep-going"});
  }
}

constexpr char kCount[] = R"(
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
std::atomic<int> x{0}, y{0};
std::mutex m;
std::condition_variable changed;
bool ready = false;
int main(int argc, char** argv) {
  std::thread a([] { x.store(1, std::memory_order_relaxed); y.fetch_add(1); std::lock_guard l(m); ready = true; changed.notify_all(); });
  std::thread b([] { x.store(2, std::memory_order_relaxed); y.load(std::memory_order_relaxed); std::unique_lock l(m); changed.wait(l, [] { return ready; }); });
  std::thread c([] { int old = 0; y.compare_exchange_strong(old, 7); if (m.try_lock()) m.unlock(); });
  a.join(); b.join(); c.join();
  assert(argc == 1 || x.load() != 1 || y.load() != 1);
}
)";

TEST_F(Cores, CountsAreTheSameUnderEveryModel) {
  const std::filesystem::path program = write("count.cpp", kCount);
  for (const char* memory : {"sc", "tso", "pso", "c++20"}) {
    expect_same(program, {std::string("--memory=") + memory});
    expect_same(program, {std::string("--memory=") + memory, "--keep-going", "--", "fail"});
  }
}

// Who meets a thread first depends on the schedule: 2 and 3 create threads in any order.
constexpr char kNested[] = R"(
#include <atomic>
#include <thread>
std::atomic<int> x{0};
int main() {
  std::thread a([] { if (x.fetch_add(1) == 1) std::thread([] { x.fetch_add(1); }).join(); });
  std::thread b([] { if (x.fetch_add(1) == 1) std::thread([] { x.fetch_sub(1); }).join(); });
  std::thread c([] { if (x.fetch_add(1) == 2) std::thread([] { x.store(9); }).join(); });
  a.join(); b.join(); c.join();
}
)";

TEST_F(Cores, ThreadsHaveTheSameNumbersInAllProcesses) {
  expect_same(write("nested.cpp", kNested), {});
}

constexpr char kLocks[] = R"(
#include <mutex>
#include <thread>
std::mutex a, b;
int n = 0;
int main() {
  std::thread t([] { std::scoped_lock l(a, b); ++n; });
  std::thread u([] { std::scoped_lock l(b, a); ++n; });
  std::thread v([] { for (;;) { if (a.try_lock()) { ++n; a.unlock(); break; } std::this_thread::yield(); } });
  t.join(); u.join(); v.join();
}
)";

// What the search assumes turns out to be wrong in some executions only: that no more threads come to
// a barrier than it has places, and that there are no atomic blocks.
constexpr char kCrowd[] = R"(
#include <pthread.h>
#include <atomic>
#include <thread>
std::atomic<int> x{0};
pthread_barrier_t b;
int main() {
  pthread_barrier_init(&b, nullptr, 2);
  std::thread t([] { x.fetch_add(1); x.fetch_add(1); });
  std::thread u([] { if (x.load() == 2) pthread_barrier_wait(&b); });
  std::thread v([] { if (x.load() == 2) pthread_barrier_wait(&b); });
  if (x.load() == 1) pthread_barrier_wait(&b);
  t.join(); u.join(); v.join();
}
)";
constexpr char kLateBlock[] = R"(
#include <mazur/mazur.h>
#include <atomic>
#include <thread>
std::atomic<int> x{0}, y{0};
int main() {
  std::thread t([] { x.fetch_add(1); y.fetch_add(1); });
  std::thread u([] { x.fetch_add(1); y.fetch_add(1); });
  if (x.load() == 1 && y.load() == 1) {
    mazur_atomic_begin();
    x.store(7);
    y.store(8);
    mazur_atomic_end();
  }
  t.join(); u.join();
}
)";

TEST_F(Cores, WhatTheSearchHasLearnedIsShared) {
  expect_same(write("crowd.cpp", kCrowd), {"--keep-going"});
  expect_same(write("late_block.cpp", kLateBlock), {});
}

TEST_F(Cores, WhatLoopsRelyOnIsShared) { expect_same(write("locks.cpp", kLocks), {}); }

constexpr char kLong[] = R"(
#include <atomic>
#include <thread>
#include <vector>
std::atomic<int> x{0};
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 5; ++i) all.emplace_back([] { x.fetch_add(1); x.fetch_add(1); });
  for (std::thread& t : all) t.join();
}
)";

TEST_F(Cores, KilledWorkersCostNothing) {
  const std::filesystem::path program = write("long.cpp", kLong);
  std::atomic<bool> over{false};
  unsigned killed = 0;
  std::jthread killer([&] {
    while (!over && killed < 10) {
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      const std::vector<pid_t> processes = processes_of(program);
      if (processes.size() >= 3 && kill(processes[killed % processes.size()], SIGKILL) == 0)
        ++killed;
    }
  });
  const Slices slices(500);
  const MazurRun shared = run(program, {"-j", "3"});
  over = true;
  EXPECT_EQ(shared.verdict(), "verified") << shared.text;
  EXPECT_EQ(shared.complete(), 113400) << shared.text;
}

// Code that Mazur does not see. It tells one process that it is the caller, for some executions, and
// kills it when that begins its thirtieth. The library's memory is put back before each: files remember.
constexpr char kUnseen[] = R"(
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
static const char caller_file[] = "caller", killed_file[] = "killed";
static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}
int library_begin(void) {
  int self = (int)call(SYS_getpid, 0, 0, 0), told[2] = {self, 0};
  int file = (int)call(SYS_open, (long)caller_file, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (file < 0) {
    file = (int)call(SYS_open, (long)caller_file, O_RDWR, 0);
    told[0] = 0;
    call(SYS_read, file, (long)told, sizeof told);
    call(SYS_lseek, file, 0, 0);
  }
  if (told[0] == self) {
    if (++told[1] == 30) {
      call(SYS_rename, (long)caller_file, (long)killed_file, 0);
      call(SYS_open, (long)caller_file, O_RDWR | O_CREAT, 0600);
      call(SYS_kill, self, SIGKILL, 0);
    }
    call(SYS_write, file, (long)told, sizeof told);
  }
  call(SYS_close, file, 0, 0);
  return told[0] == self && told[1] < 10;
}
int library_add(int n) { return (int)call(SYS_getpid, 0, 0, 0) + n; }
)";

constexpr char kCallsUnseen[] = R"(
#include <atomic>
#include <thread>
extern "C" int library_begin(), library_add(int);
std::atomic<int> x{0};
int calls = 0, result = 0;
int main() {
  calls = library_begin();
  std::thread a([] { if (calls) result = library_add(1); x.load(); });
  std::thread b([] { x.fetch_add(1); x.fetch_add(1); });
  std::thread c([] { x.fetch_add(1); x.fetch_add(1); });
  std::thread d([] { x.fetch_add(1); x.fetch_add(1); });
  a.join(); b.join(); c.join(); d.join();
}
)";

// A verdict must not depend on whether the process lives that has seen why it is no proof.
TEST_F(Cores, WhatAKilledWorkerHasNoticedStays) {
  const std::filesystem::path library = folder() / "libunseen.so";
  std::ofstream(folder() / "unseen.c") << kUnseen;
  const Finished gcc = spawn({"gcc", "-shared", "-fPIC", "-O1", "-g", "-Wl,-soname,libunseen.so",
                              folder() / "unseen.c", "-o", library});
  ASSERT_EQ(gcc.code, 0) << gcc.err;
  const std::filesystem::path source = folder() / "calls.cpp";
  std::ofstream(source) << kCallsUnseen;
  const std::filesystem::path program = build(
      source, {"-std=c++20", "-O1", "-g", library, "-Wl,-rpath," + folder().string()}, folder());
  const Slices slices(1);
  const MazurRun shared = run(program, {"-j", "3"});
  EXPECT_EQ(shared.verdict(), "incomplete") << shared.text;
  EXPECT_NE(shared.result.value("reason", "").find("libunseen.so"), std::string::npos)
      << shared.text;
  EXPECT_TRUE(std::filesystem::exists(folder() / "killed"));
}

TEST_F(Cores, ATimeLimitHoldsForAll) {
  const MazurRun shared = run(write("long.cpp", kLong), {"-j", "2", "--time-limit=0.05"});
  EXPECT_EQ(shared.verdict(), "incomplete") << shared.text;
  EXPECT_EQ(shared.result.value("reason", ""), "--time-limit was reached") << shared.text;
}

TEST_F(Cores, WhatCannotBeSharedIsRefused) {
  const std::filesystem::path program = write("long.cpp", kLong);
  const auto refusal = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"check", program.string(), "-j2"});
    return run_mazur(options, folder());
  };
  for (const auto& [option, why] :
       {std::pair<const char*, const char*>{"--algorithm=optimal", "only the work of graph"},
        {"--races=explore", "what threads share"},
        {"--unroll=3", "the loops that are cut"},
        {"--max-executions=5", "executions are counted"}}) {
    const MazurRun run = refusal({option});
    EXPECT_EQ(run.exit_code, 2) << option;
    EXPECT_NE(run.text.find(why), std::string::npos) << run.text;
  }
  EXPECT_EQ(run_mazur({"check", program.string(), "-j", "many"}, folder()).exit_code, 2);
  EXPECT_EQ(run_mazur({"check", program.string(), "-j"}, folder()).exit_code, 2);
  EXPECT_EQ(run_mazur({"check", program.string(), "--first"}, folder()).exit_code, 2);
}

}  // namespace
}  // namespace mazur::test
