// What two processes gain, and what a ledger costs: the same exploration in one process, in two, with a ledger
// in a file and with one on a PostgreSQL server of its own, whose slices take a second. In turns; the least
// time of several rounds counts, by the clock, with everything that mazur does.
//
//   cores_cost [ROUNDS [PROGRAM]]     3 rounds of each program, if nothing else is said; PROGRAM: its number
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "../mazur_runs.h"
#include "work/postgres_server.h"

namespace mazur::bench {
namespace {

struct Subject {
  const char* name;
  const char* source;
  const char* flags;
};
constexpr Subject kSubjects[] = {
    {"wakeup_stress(9)", "tests/literature/wakeup_stress.c", "-DN=9"},
    {"mpat(7)", "tests/literature/mpat.cpp", "-DK=7"},
};

double seconds_of(const std::string& program, const std::string& options) {
  const std::string command = "cd " + folder().string() + " && " MAZUR_PROGRAM " check " + program +
                              " --algorithm=graph --quiet --no-trace " + options + " >/dev/null";
  const auto begin = std::chrono::steady_clock::now();
  if (std::system(command.c_str()) != 0) std::abort();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(const Subject& subject, int rounds, const test::PostgresServer& server) {
  const std::string program = built(subject.source, subject.flags);
  const std::string file = (folder() / "run.db").string();
  std::map<std::string, std::vector<double>> times;
  for (int round = 0; round < rounds; ++round) {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file + end);
    const std::string run = fmt::format("'{}#{}-{}'", server.url(), getpid(),
                                        std::filesystem::path(program).filename().string());
    if (round > 0) server.execute("SET client_min_messages = error; DROP SCHEMA mazur CASCADE");
    times["one"].push_back(seconds_of(program, ""));
    times["two"].push_back(seconds_of(program, "-j2"));
    times["file"].push_back(seconds_of(program, "--ledger=" + file));
    times["server"].push_back(seconds_of(program, "--ledger=" + run));
  }
  std::map<std::string, double> least;
  for (const auto& [name, all] : times) least[name] = *std::ranges::min_element(all);
  const double one = least["one"];
  const auto cost = [one](double with) { return (with / one - 1) * 100; };
  fmt::print(
      "| {} | {:.2f} | {:.2f}: {:.2f} times as fast | {:.2f}: {:+.1f}% | {:.2f}: {:+.1f}% |\n",
      subject.name, one, least["two"], one / least["two"], least["file"], cost(least["file"]),
      least["server"], cost(least["server"]));
}

}  // namespace
}  // namespace mazur::bench

int main(int count, char** words) {
  using namespace mazur::bench;
  const int rounds = count > 1 ? std::atoi(words[1]) : 3;
  const mazur::test::PostgresServer server(/*fsync=*/true);
  fmt::print(
      "| program | one process, s | -j 2 | --ledger=FILE | PostgreSQL |\n|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < std::size(kSubjects); ++i)
    if (count < 3 || static_cast<std::size_t>(std::atoi(words[2])) == i)
      measure(kSubjects[i], rounds, server);
  std::filesystem::remove_all(folder());
}
