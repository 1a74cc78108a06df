// Random programs against brute force, for as long as wished:
//
//   mazur_soak --programs=2000000 --seed=7 --explorers=optimal,source,dpor,naive --seconds=3600
//
// Prints every disagreement, made small, and exits with 1 if there was one.
#include <cstdio>
#include <cstring>
#include <string>

#include "agreement.h"

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    if (comma > at) parts.push_back(list.substr(at, comma - at));
    at = comma + 1;
  }
  return parts;
}

}  // namespace

int main(int argc, char** argv) {
  mazur::model::Campaign campaign{.count = 100'000,
                                  .explorers = {"naive", "dpor", "source", "optimal", "lazy"},
                                  .progress = true};
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    const std::size_t equals = std::min(arg.find('='), arg.size() - 1);
    const std::string name = arg.substr(0, equals);
    const std::string value = arg.substr(equals + 1);
    if (name == "--programs") {
      campaign.count = std::stoull(value);
    } else if (name == "--seed") {
      campaign.seed = std::stoull(value);
    } else if (name == "--first") {
      campaign.first = std::stoull(value);
    } else if (name == "--seconds") {
      campaign.seconds = std::stod(value);
    } else if (name == "--explorers") {
      campaign.explorers = split(value);
    } else if (name == "--max-prefixes") {
      campaign.max_prefixes = std::stoull(value);
    } else if (name == "--max-schedules") {
      campaign.max_schedules = std::stoull(value);
    } else if (name == "--threads") {
      campaign.shape.max_threads = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--operations") {
      campaign.shape.max_operations = static_cast<unsigned>(std::stoul(value));
    } else if (arg == "--blocks") {
      campaign.shape.blocks = true;
    } else if (arg == "--observes") {
      campaign.shape.observes = true;
    } else if (arg == "--messages") {
      campaign.shape.messages = true;
    } else if (arg == "--parts") {
      campaign.shape.parts = true;
    } else if (arg == "--all-orders") {
      campaign.all_subjects = true;
    } else {
      std::fprintf(
          stderr,
          "usage: %s [--programs=N] [--seed=N] [--first=N] [--seconds=S] "
          "[--explorers=A,B,...] [--all-orders] [--blocks] [--observes] [--messages] [--parts] "
          "[--threads=N] [--operations=N] [--max-prefixes=N] [--max-schedules=N]\n",
          argv[0]);
      return 2;
    }
  }
  const mazur::model::Findings f = mazur::model::run(campaign);
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf(
      "%llu programs (%llu with deadlocks, %llu more were too large), %llu classes, %llu "
      "schedules,\n"
      "%.1f s, %zu disagreements\n",
      number(f.programs), number(f.blocking), number(f.too_large), number(f.classes),
      number(f.schedules), f.seconds, f.disagreements.size());
  return f.disagreements.empty() ? 0 : 1;
}
