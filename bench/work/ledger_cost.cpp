// What a ledger costs each worker while many items are open: in a file, and on a PostgreSQL server of its own
// that waits for the disk as servers do.
//
//   ledger_cost [ITEMS [ROUNDS]]      1,000,000 items and 500 rounds, if nothing else is said
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "work/ledger.h"
#include "work/postgres_server.h"

namespace mazur {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBytes = 300;  // of a piece

std::uint64_t resident_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmRSS:") continue;
    std::uint64_t kb = 0;
    status >> kb;
    return kb;
  }
  return 0;
}

struct Times {
  std::vector<double> milliseconds;
  void take(const std::function<void()>& what) {
    const Clock::time_point begin = Clock::now();
    what();
    milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  double part(double p) {
    std::ranges::sort(milliseconds);
    return milliseconds[static_cast<std::size_t>(p * static_cast<double>(milliseconds.size() - 1))];
  }
  void print(const char* name) {
    fmt::print("  {:<24} median {:.2f} ms, 95% {:.2f} ms\n", name, part(0.5), part(0.95));
  }
};

SliceEnd paused(std::size_t pieces) {
  SliceEnd end;
  end.verdict = Verdict::kIncomplete;
  end.paused = true;
  end.tally.complete = 1;
  end.pieces.assign(pieces, std::string(kBytes, 'p'));
  return end;
}

void measure(const std::string& place, std::size_t items, int rounds) {
  const Ledger first(open_store(place, Opening::kCreate), {.terms = "", .keep_going = true});
  Ledger ledger(open_store(place, Opening::kJoin));
  for (std::size_t open = 1; open < items; open += 9'999)
    ledger.finish(*ledger.claim(), paused(std::min<std::size_t>(items - open + 1, 10'000)), {});
  fmt::print("{}: {} open items\n", ledger.name(), ledger.overview().totals.open);
  Times claim, checkpoint, split, look;
  const std::uint64_t before = resident_kb();
  for (int i = 0; i < rounds; ++i) {
    std::optional<Claim> mine;
    claim.take([&] { mine = ledger.claim(); });
    checkpoint.take([&] { ledger.finish(*mine, paused(1), {}); });
    mine = ledger.claim();
    split.take([&] { ledger.finish(*mine, paused(5), {}); });
    look.take([&] { ledger.overview(); });
  }
  claim.print("claim");
  checkpoint.print("finish, as a checkpoint");
  split.print("finish, with 5 pieces");
  look.print("a look at all");
  fmt::print("  memory: {} KiB before, {} KiB after\n", before, resident_kb());
}

}  // namespace
}  // namespace mazur

int main(int count, char** words) {
  const std::size_t items = count > 1 ? std::strtoull(words[1], nullptr, 10) : 1'000'000;
  const int rounds = count > 2 ? std::atoi(words[2]) : 500;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("mazur-ledger-{}.db", getpid());
  mazur::measure(file, items, rounds);
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
  const mazur::test::PostgresServer server(/*fsync=*/true);
  mazur::measure(server.url() + "#cost", items, rounds);
}
