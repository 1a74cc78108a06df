// Processes that are killed, or stopped, at any moment: the totals are those of one explorer.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "executions.h"
#include "postgres_server.h"
#include "stores.h"

namespace mazur::test {
namespace {

class KillTest : public OnStore {
 protected:
  // A process that works until all is done, or until it is killed.
  template <typename Work>
  static pid_t process(Work work) {
    const pid_t child = fork();
    if (child != 0) return child;
    try {
      work();
    } catch (const std::exception& error) {
      fprintf(stderr, "%s\n", error.what());
      _exit(1);
    }
    _exit(0);
  }
  static int wait(pid_t child, int options = 0) {
    int status = 0;
    while (waitpid(child, &status, options) < 0 && errno == EINTR) continue;
    return status;
  }
  // On a server, the lease of a process that was killed has to end.
  void end_leases() const {
    if (GetParam() == Kind::kPostgres)
      PostgresServer::shared().execute("UPDATE mazur.worker SET until = '-infinity'");
  }
  void work(const Executions& program, std::uint64_t seed) const {
    const auto ledger = join();
    RandomSource random(seed, 9);
    while (!ledger->is_over()) {
      const auto claim = ledger->claim();
      if (!claim) continue;
      Slice slice = program.explore(claim->offer.piece, random);
      ledger->finish(*claim, slice.end, slice.errors);
    }
  }
};

TEST_P(KillTest, ProcessesThatAreKilledAtAnyMoment) {
  const Executions program{
      .size = GetParam() == Kind::kPostgres ? 1'500u : 6'000u, .seed = 2, .keep_going = true};
  begin(true, false).reset();
  const unsigned most = GetParam() == Kind::kPostgres ? 20 : 100;
  unsigned killed = 0;
  for (std::uint64_t seed = 1; killed < most; ++seed) {
    const pid_t child = process([&] { work(program, seed); });
    RandomSource random(seed, 4);
    usleep(500 + random.below(12'000));
    kill(child, SIGKILL);
    if (WIFEXITED(wait(child))) {
      if (join()->is_over()) break;
      FAIL();
    }
    ++killed;
    end_leases();
  }
  EXPECT_GT(killed, 5u);
  work(program, 0);
  EXPECT_EQ(found_in(join()->result()), program.all());
}

// It was not dead, but nobody could know. It goes on after others have done all.
TEST_P(KillTest, AProcessThatIsStoppedForLong) {
  const Executions program{.size = 300, .seed = 5, .keep_going = true};
  const auto ledger = begin(true, false);
  const pid_t child = process([&] {
    const auto other = join();
    RandomSource random(1, 1);
    const auto claim = other->claim();
    Slice slice = program.explore(claim->offer.piece, random);
    raise(SIGSTOP);
    if (!other->finish(*claim, slice.end, slice.errors)) _exit(2);
    if (!other->is_over()) _exit(3);
  });
  ASSERT_TRUE(WIFSTOPPED(wait(child, WUNTRACED)));
  if (GetParam() == Kind::kPostgres) {
    end_leases();
  } else {
    // A file's ledger sees that the process lives: only the clock ends its lease.
    EXPECT_FALSE(ledger->claim());
    kill(child, SIGCONT);
    EXPECT_EQ(wait(child), 0x300);
  }
  work(program, 1);
  EXPECT_EQ(found_in(ledger->result()), program.all());
  if (GetParam() != Kind::kPostgres) return;
  kill(child, SIGCONT);
  EXPECT_EQ(wait(child), 0);
  EXPECT_EQ(found_in(ledger->result()), program.all());
}

INSTANTIATE_TEST_SUITE_P(Stores, KillTest, kDurableStores, test_name);

}  // namespace
}  // namespace mazur::test
