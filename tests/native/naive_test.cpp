// `naive` runs every interleaving exactly once: counts that can be worked out on paper.
#include <gtest/gtest.h>

#include <functional>

#include "cli/spawn.h"
#include "run_mazur.h"

namespace mazur::test {
namespace {

long binomial(long n, long k) {
  long result = 1;
  for (long i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// A program that is compiled once and has numbers as arguments.
class Counted {
 public:
  explicit Counted(const std::string& program)
      : program_(build(folder_.write("program.cpp", program), {}, folder_.path())) {}

  // How many executions there are.
  long with(const std::vector<long>& arguments) const {
    std::vector<std::string> words{
        "check",      program_, "--algorithm=naive", "--json=result.json", "--quiet",
        "--no-trace", "--"};
    for (const long argument : arguments) words.push_back(std::to_string(argument));
    const MazurRun run = run_mazur(words, folder_.path());
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.blocked(), 0) << run.text;
    return run.complete();
  }

 private:
  Scratch folder_;
  std::string program_;
};

long count(const std::string& program) { return Counted(program).with({}); }

// Main creates a thread, both do visible operations on variables of their own, and main joins.
// After the creation the a operations of main and the b of the thread interleave freely; the join
// comes when both are done.
TEST(Naive, TwoThreadsOfIndependentOperations) {
  const Counted program(R"(
#include <atomic>
#include <cstdlib>
#include <thread>
std::atomic<int> x, y;
int main(int, char** argv) {
  const int a = std::atoi(argv[1]), b = std::atoi(argv[2]);
  std::thread t([b] { for (int i = 0; i < b; ++i) y.store(i); });
  for (int i = 0; i < a; ++i) x.store(i);
  t.join();
})");
  for (const auto& [a, b] : {std::pair{1, 1}, {2, 3}, {4, 4}, {5, 2}, {6, 5}}) {
    EXPECT_EQ(program.with({a, b}), binomial(a + b, a)) << a << " and " << b;
  }
}

// The interleavings of dependent operations are as many: naive does not look at what they do.
TEST(Naive, DependentOperationsCountTheSame) {
  EXPECT_EQ(count(R"(
#include <atomic>
#include <thread>
std::atomic<int> x;
int main() {
  std::thread t([] { ++x; ++x; ++x; });
  ++x; ++x;
  t.join();
})"),
            binomial(5, 2));
}

// Main creates t1 (a operations) and then t2 (b operations), does nothing itself and joins both.
// The creation of t2 can come after 0..a operations of t1; of those that remain, i, each
// interleaving with b: the sum of C(i + b, b). The joins: the one of t1 can come before the last
// operations of t2, at any place after t1's end.
TEST(Naive, ThreeThreads) {
  const Counted program(R"(
#include <atomic>
#include <cstdlib>
#include <thread>
std::atomic<int> x, y;
int main(int, char** argv) {
  const int a = std::atoi(argv[1]), b = std::atoi(argv[2]);
  std::thread t1([a] { for (int i = 0; i < a; ++i) x.store(i); });
  std::thread t2([b] { for (int i = 0; i < b; ++i) y.store(i); });
  t1.join();
  t2.join();
})");
  for (const auto& [a, b] : {std::pair{1, 1}, {2, 2}, {3, 2}}) {
    // Main's steps are create(t2), join(t1), join(t2), in this order. Count words over t1^a t2^b
    // and main's three steps with create(t2) before t2's first, join(t1) after t1's last, join(t2)
    // after t2's last and after join(t1).
    std::function<long(int, int, int)> words = [&](int done_a, int done_b, int main) -> long {
      if (done_a == a && done_b == b && main == 3) return 1;
      long sum = 0;
      if (done_a < a) sum += words(done_a + 1, done_b, main);
      if (done_b < b && main >= 1) sum += words(done_a, done_b + 1, main);
      if (main == 0) sum += words(done_a, done_b, 1);
      if (main == 1 && done_a == a) sum += words(done_a, done_b, 2);
      if (main == 2 && done_b == b) sum += words(done_a, done_b, 3);
      return sum;
    };
    EXPECT_EQ(program.with({a, b}), words(0, 0, 0)) << a << " and " << b;
  }
}

// Two critical sections on one mutex, in main and in a thread: lock and unlock each. One of them
// goes first, and the other can do nothing in between: 2 orders. With k sections each: C(2k, k).
TEST(Naive, Locks) {
  const Counted program(R"(
#include <cstdlib>
#include <mutex>
#include <thread>
std::mutex m;
int main(int, char** argv) {
  const int k = std::atoi(argv[1]);
  std::thread t([k] { for (int i = 0; i < k; ++i) { m.lock(); m.unlock(); } });
  for (int i = 0; i < k; ++i) { m.lock(); m.unlock(); }
  t.join();
})");
  for (const int k : {1, 2, 3}) EXPECT_EQ(program.with({k}), binomial(2 * k, k)) << k;
}

// Two mutexes that have nothing to do with each other: four free operations, two each.
TEST(Naive, IndependentLocks) {
  EXPECT_EQ(count(R"(
#include <mutex>
#include <thread>
std::mutex m, n;
int main() {
  std::thread t([] { m.lock(); m.unlock(); });
  n.lock(); n.unlock();
  t.join();
})"),
            binomial(4, 2));
}

// Outcomes are branches for every explorer: two threads choose between three, main between two. The
// choices depend on nothing, so that a reduction runs each combination once.
TEST(Choices, EveryOutcomeIsExplored) {
  const Scratch folder;
  const std::string source = folder.write("choices.cpp", R"(
#include <atomic>
#include <cassert>
#include <thread>
#include <mazur/mazur.h>
std::atomic<int> chosen[2];
int main() {
  std::thread a([] { chosen[0] = mazur_choose(3); });
  std::thread b([] { chosen[1] = mazur_choose(3); });
  const unsigned mine = mazur_choose(2);
  a.join();
  b.join();
#ifdef FAILS
  assert(!(mine == 1 && chosen[0] == 2 && chosen[1] == 1));
#endif
  (void)mine;
})");
  const std::filesystem::path right = build(source, {"-O1"}, folder.path());
  for (const char* algorithm : {"optimal", "source", "dpor", "naive"}) {
    const MazurRun run = run_mazur({"check", right.string(), "--json=result.json", "--no-trace",
                                    "--quiet", std::string("--algorithm=") + algorithm},
                                   folder.path());
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    if (algorithm != std::string("naive")) {
      EXPECT_EQ(run.complete(), 18) << run.text;
    }
  }
  const std::filesystem::path wrong = build(source, {"-O1", "-DFAILS"}, folder.path());
  for (const char* algorithm : {"optimal", "source", "dpor", "naive"}) {
    const MazurRun run =
        run_mazur({"check", wrong.string(), "--json=result.json", "--no-trace", "--quiet",
                   "--keep-going", std::string("--algorithm=") + algorithm},
                  folder.path());
    EXPECT_EQ(run.verdict(), "bug") << run.text;
    if (algorithm != std::string("naive")) {
      EXPECT_EQ(run.result["errors"][0]["count"], 1) << run.text;
    }
  }
}

// Readers that never let go: the writer comes before all of them, or never. Their number must not
// matter.
TEST(Readers, AWriterBeforeThemAll) {
  const Scratch folder;
  const std::string source = folder.write("readers.c", R"(
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void* reader(void* a) { pthread_rwlock_rdlock(&lock); return a; }
static void* writer(void* a) { pthread_rwlock_wrlock(&lock); pthread_rwlock_unlock(&lock); return a; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 20; ++i) pthread_create(&t, 0, reader, 0);
  pthread_create(&t, 0, writer, 0);
  return 0;
})");
  const std::filesystem::path program = build(source, {"-O1"}, folder.path());
  for (const char* algorithm : {"optimal", "source", "dpor"}) {
    const MazurRun run = run_mazur({"check", program.string(), "--json=result.json", "--no-trace",
                                    "--quiet", std::string("--algorithm=") + algorithm},
                                   folder.path());
    EXPECT_EQ(run.verdict(), "verified") << run.text;
    EXPECT_EQ(run.complete(), 2) << run.text;
  }
}

}  // namespace
}  // namespace mazur::test
