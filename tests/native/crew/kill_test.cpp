// kill -9 at many moments of one run, counted in slices and executions: the totals are those of a run that
// nobody disturbs, and little is done twice.
#include <signal.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <thread>

#include "base/random_source.h"
#include "ledger_file.h"
#include "work/ledger.h"
#include "work/postgres_server.h"

namespace mazur::test {
namespace {

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

// How often somebody is killed while so many executions are explored, and at which moments.
struct Plan {
  const char* name;
  bool on_postgres;
  int threads;  // of the program
  long executions;
  unsigned kills;
  std::uint64_t seed;
  friend void PrintTo(const Plan& plan, std::ostream* out) { *out << plan.name; }
};
std::string plan_name(const testing::TestParamInfo<Plan>& info) { return info.param.name; }

class Kills : public LedgerFile, public testing::WithParamInterface<Plan> {
 protected:
  std::string place() const {
    if (!GetParam().on_postgres) return (folder() / "run.db").string();
    return PostgresServer::shared().url() + "#" + folder().parent_path().filename().string();
  }
  static std::string threads() { return std::to_string(GetParam().threads); }
};

// A mazur that is started again whenever it was killed.
class Member {
 public:
  Member(std::function<pid_t()> start, bool on_postgres)
      : start_(std::move(start)), on_postgres_(on_postgres), process_(start_()) {}
  ~Member() {
    if (!ended_) kill();
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  // Whether it has come to its end.
  bool has_ended() {
    if (!ended_ && waitpid(process_, &status_, WNOHANG) == process_) ended_ = true;
    return ended_;
  }
  int exit_code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_); }
  void kill_and_restart() {
    kill();
    process_ = start_();
  }

 private:
  void kill() {
    ::kill(process_, SIGKILL);
    waitpid(process_, &status_, 0);
    if (on_postgres_) LedgerFile::end_lease(PostgresServer::shared(), process_);
  }
  const std::function<pid_t()> start_;
  const bool on_postgres_;
  pid_t process_;
  int status_ = 0;
  bool ended_ = false;
};

TEST_P(Kills, OfWorkersAndOfMazurChangeNothing) {
  const Plan& plan = GetParam();
  const nlohmann::json expected = essence(run(long_, {"--ledger=undisturbed.db", "--", threads()}));
  // Enough slices for all kills, and many more.
  slices(static_cast<int>(plan.executions / (20 * plan.kills)));
  const std::string ledger = "--ledger=" + place();
  const Words check = command(long_, {ledger, "-j2", "--quiet", "--", threads()});
  ASSERT_EQ(run(long_, {ledger, "--time-limit=0.001", "--", threads()}).exit_code, 3);
  RandomSource random(plan.seed, 1);
  unsigned programs = 0, mazurs = 0;
  {
    Ledger look(open_store(place(), Opening::kLook));
    const auto handed_back = [&] { return look.overview().totals.pieces; };
    Member first([&] { return start(check); }, plan.on_postgres);
    Member second(
        [&] {
          return start({"worker", ledger, long_.string(), "-j2", "--quiet"});
        },
        plan.on_postgres);
    std::uint64_t next = handed_back() + 1;
    while (!first.has_ended() && !second.has_ended()) {
      wait_a_moment();
      if (programs + mazurs >= plan.kills || handed_back() < next) continue;
      if (random.below(2) == 0) {
        (random.below(2) == 0 ? first : second).kill_and_restart();
        ++mazurs;
      } else {
        const std::vector<pid_t> all = processes_of(long_);
        if (all.empty()) continue;
        const pid_t victim = all[random.below(static_cast<std::uint32_t>(all.size()))];
        programs += kill(victim, SIGKILL) == 0 ? 1 : 0;
      }
      next = handed_back() + 1 + random.below(7);
    }
    while (!first.has_ended() || !second.has_ended()) wait_a_moment();
    EXPECT_EQ(first.exit_code(), 0) << contents_of((folder() / "err").string());
    EXPECT_EQ(second.exit_code(), 0) << contents_of((folder() / "err").string());
  }
  std::printf("%u processes of the program and %u of mazur were killed\n", programs, mazurs);
  EXPECT_GE(programs + mazurs, plan.kills * 3 / 4);
  EXPECT_GT(mazurs, 0u);
  const MazurRun whole = run(long_, {ledger, "--", threads()});
  EXPECT_EQ(essence(whole), expected) << whole.text;
}

// Tells a file of each execution, before there are threads: code that Mazur does not see.
constexpr char kCounter[] = R"(
#include <fcntl.h>
#include <sys/syscall.h>
static const char file_name[] = "executions", mark[] = "x";
static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}
void count_execution(void) {
  int file = (int)call(SYS_open, (long)file_name, O_WRONLY | O_CREAT | O_APPEND, 0600);
  call(SYS_write, file, (long)mark, 1);
  call(SYS_close, file, 0, 0);
}
)";

constexpr char kCounted[] = R"(
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>
extern "C" void count_execution();
std::atomic<int> x{0};
int main(int, char** argv) {
  count_execution();
  std::vector<std::thread> all;
  for (int i = 0; i < std::atoi(argv[1]); ++i) all.emplace_back([] { x.fetch_add(1); x.fetch_add(1); });
  for (std::thread& t : all) t.join();
}
)";

TEST_P(Kills, OfOneProcessCostASliceEach) {
  const Plan& plan = GetParam();
  const fs::path library = folder() / "libcounter.so", source = folder() / "counted.cpp";
  std::ofstream(folder() / "counter.c") << kCounter;
  std::ofstream(source) << kCounted;
  const Finished gcc = spawn({"gcc", "-shared", "-fPIC", "-O1", "-Wl,-soname,libcounter.so",
                              folder() / "counter.c", "-o", library});
  ASSERT_EQ(gcc.code, 0) << gcc.err;
  const fs::path program =
      build(source, {"-std=c++20", "-O1", library, "-Wl,-rpath," + folder().string()}, folder());
  const fs::path counter = folder() / "executions";
  const auto executions = [&]() -> std::uint64_t {
    std::error_code error;
    const auto size = fs::file_size(counter, error);
    return error ? 0 : size;
  };
  // A process that begins runs the program a few times before it explores.
  ASSERT_EQ(run(program, {"--ledger=undisturbed.db", "--", threads()}).exit_code, 0);
  const auto all = static_cast<std::uint64_t>(plan.executions);
  const std::uint64_t beginning = executions() - all;
  fs::remove(counter);
  const std::uint64_t slice = all / (12 * plan.kills);
  slices(static_cast<int>(slice));
  const std::string ledger = "--ledger=" + place();
  const Words check = command(program, {ledger, "--quiet", "--", threads()});
  RandomSource random(plan.seed, 2);
  unsigned kills = 0;
  {
    Member member([&] { return start(check); }, plan.on_postgres);
    const auto gap = static_cast<std::uint32_t>(2 * plan.executions / (plan.kills + 2));
    std::uint64_t next = executions() + random.below(gap);
    while (!member.has_ended()) {
      wait_a_moment();
      if (kills >= plan.kills || executions() < next) continue;
      member.kill_and_restart();
      ++kills;
      next = executions() + random.below(gap);
    }
    EXPECT_EQ(member.exit_code(), 0) << contents_of((folder() / "err").string());
  }
  const std::uint64_t again = executions() - all;
  std::printf("%u kills, %llu executions done again\n", kills,
              static_cast<unsigned long long>(again));
  EXPECT_GE(kills, plan.kills / 2);
  EXPECT_LE(again, kills * slice + (kills + 1) * beginning);
  expect_all(run(program, {ledger, "--", threads()}), plan.executions);
}

INSTANTIATE_TEST_SUITE_P(Some, Kills,
                         testing::Values(Plan{"Sqlite", false, 4, kFour, 16, 1},
                                         Plan{"Postgres", true, 4, kFour, 12, 2}),
                         plan_name);
// By hand, and in `./mazur selftest --all`.
INSTANTIATE_TEST_SUITE_P(Thorough, Kills,
                         testing::Values(Plan{"Sqlite", false, 5, kFive, 200, 3},
                                         Plan{"Postgres", true, 5, kFive, 200, 4}),
                         plan_name);

}  // namespace
}  // namespace mazur::test
