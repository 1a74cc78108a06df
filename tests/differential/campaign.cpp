#include "campaign.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "generate.h"
#include "shrink.h"
#include "write_c.h"

namespace differential {
namespace {

constexpr std::size_t kPrefixes = 4000;
constexpr std::size_t kPrefixesOfSmall = 600;
constexpr std::uint64_t kMadeSmall = 3;        // disagreements; the others are only named
constexpr std::uint64_t kDisagreements = 100;  // enough

bool solve(Task& task, const Campaign& campaign) {
  task.answer = enumerate(task.program, {.prefixes = kPrefixes, .main_first = true});
  if (!task.answer.complete || task.answer.all.traces > campaign.max_traces) return false;
  Answer answer = enumerate(task.program, {.prefixes = kPrefixesOfSmall, .main_first = false});
  task.interleavings = answer.complete && answer.all.interleavings <= campaign.max_interleavings;
  if (task.interleavings) task.answer = std::move(answer);
  return true;
}

class Run {
 public:
  explicit Run(const Campaign& campaign) : campaign_(campaign) {}

  Findings run() {
    const std::uint64_t end = campaign_.first + campaign_.count;
    for (std::uint64_t first = campaign_.first; first < end && !enough();
         first += campaign_.batch) {
      check(first, std::min<std::uint64_t>(first + campaign_.batch, end));
      if (findings_.programs % 5000 < campaign_.batch && findings_.programs >= 5000)
        std::fprintf(stderr, "%llu programs, %.0f s, %llu disagreements\n",
                     static_cast<unsigned long long>(findings_.programs), elapsed(),
                     static_cast<unsigned long long>(findings_.disagreements));
    }
    findings_.seconds = elapsed();
    return findings_;
  }

 private:
  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  bool enough() const {
    return findings_.disagreements >= kDisagreements ||
           (campaign_.seconds > 0 && elapsed() > campaign_.seconds);
  }

  Task task(std::uint64_t number) const {
    for (unsigned attempt = 0;; ++attempt) {
      Task task{number, generate(campaign_.seed, number, attempt), {}, false};
      if (solve(task, campaign_) && task.answer.all.traces > 1) return task;
    }
  }

  void check(std::uint64_t first, std::uint64_t last) {
    std::vector<Task> tasks;
    for (std::uint64_t n = first; n < last; ++n) tasks.push_back(task(n));
    // Those that naive explores are first.
    std::stable_partition(tasks.begin(), tasks.end(),
                          [](const Task& task) { return task.interleavings; });
    for (const Task& task : tasks) {
      ++findings_.programs;
      findings_.traces += task.answer.all.traces;
      findings_.deadlocking += task.answer.deadlocks.traces != 0 ? 1 : 0;
    }
    Batch batch(std::move(tasks), campaign_.build);
    std::uint64_t index = 0;
    for (const Explorer& explorer : explorers()) {
      ++index;
      if (std::find(campaign_.explorers.begin(), campaign_.explorers.end(), explorer.name) ==
          campaign_.explorers.end())
        continue;
      std::size_t programs = batch.tasks().size();
      if (explorer.promise == Promise::kInterleavings)
        programs = static_cast<std::size_t>(
            std::count_if(batch.tasks().begin(), batch.tasks().end(),
                          [](const Task& task) { return task.interleavings; }));
      for (std::size_t at = 0; at < programs && findings_.disagreements < kDisagreements;
           at += explorer.at_once)
        check(batch, at, std::min(at + explorer.at_once, programs), explorer,
              first / campaign_.batch + at / explorer.at_once + index);
    }
  }

  // The variation decides what is not said by the explorer's name: which thread is picked first,
  // how plain accesses are treated, and whether outcomes are compared.
  void check(Batch& batch, std::size_t first, std::size_t last, Explorer explorer,
             std::uint64_t variation) {
    static constexpr const char* kPicks[] = {"continue", "lowest", "highest", "round-robin",
                                             "random"};
    static constexpr const char* kRaces[] = {"report", "ignore", "explore"};
    const bool counts = promises_numbers(explorer);
    const bool outcomes = campaign_.all_outcomes || !counts || variation % 4 == 0;
    explorer.flags.push_back(std::string("--pick=") + kPicks[variation % 5]);
    // With `explore` plain accesses have interleavings of their own (but no other traces, as a
    // mutex orders them).
    const bool schedules = explorer.promise == Promise::kInterleavings;
    const std::uint64_t races = !counts    ? 1 + variation % 2
                                : outcomes ? 0
                                           : variation % (schedules ? 2 : 3);
    explorer.flags.push_back(std::string("--races=") + kRaces[races]);
    const Comparison comparison = batch.compare(first, last, explorer, outcomes);
    findings_.executions += comparison.executions;
    if (!comparison.disagreement.empty())
      blame(batch, first, last, explorer, comparison.disagreement);
  }

  // Finds out which programs of a range it is about.
  void blame(Batch& batch, std::size_t first, std::size_t last, const Explorer& explorer,
             const std::string& disagreement) {
    bool found = false;
    for (std::size_t i = first; i < last && findings_.disagreements < kDisagreements; ++i) {
      const std::string alone = disagreement_alone(batch, i, explorer);
      if (alone.empty()) continue;
      found = true;
      report(batch.tasks()[i], explorer, alone);
    }
    if (found || findings_.disagreements >= kDisagreements) return;
    // What is picked at random is another thread when the programs are run one by one.
    ++findings_.disagreements;
    const Comparison again = batch.compare(first, last, explorer, can_count_outcomes(explorer));
    if (again.program)
      std::printf("%s\n", write_c({{batch.tasks()[*again.program].program}}).c_str());
    std::printf(
        "program %llu of seed %llu%s, %s: %s\n",
        static_cast<unsigned long long>(batch.tasks()[again.program.value_or(first)].number),
        static_cast<unsigned long long>(campaign_.seed),
        again.program ? ", together with others" : " or one of those after it",
        describe(explorer).c_str(), (again.program ? again.disagreement : disagreement).c_str());
  }

  static bool promises_numbers(const Explorer& explorer) {
    return explorer.promise != Promise::kOutcomes && explorer.promise != Promise::kObservedValues;
  }
  // With --races=explore, executions that are thrown away have printed their outcomes, too.
  static bool can_count_outcomes(const Explorer& explorer) {
    return !promises_numbers(explorer) || explorer.flags.back() != "--races=explore";
  }

  static std::string disagreement_alone(Batch& batch, std::size_t i, const Explorer& explorer) {
    std::string text = batch.compare(i, i + 1, explorer, false).disagreement;
    if (text.empty() && can_count_outcomes(explorer))
      text = batch.compare(i, i + 1, explorer, true).disagreement;
    return text;
  }

  void report(const Task& task, const Explorer& explorer, const std::string& disagreement) {
    if (++findings_.disagreements > kMadeSmall) {
      std::printf("program %llu of seed %llu, %s: %s\n",
                  static_cast<unsigned long long>(task.number),
                  static_cast<unsigned long long>(campaign_.seed), describe(explorer).c_str(),
                  disagreement.c_str());
      return;
    }
    const Program small = shrink(task.program, [&](const Program& program) {
      Task smaller{task.number, program, {}, false};
      if (!solve(smaller, campaign_)) return false;
      if (explorer.promise == Promise::kInterleavings && !smaller.interleavings) return false;
      Batch alone({smaller}, campaign_.build);
      return !disagreement_alone(alone, 0, explorer).empty();
    });
    Task smaller{task.number, small, {}, false};
    solve(smaller, campaign_);
    Batch alone({smaller}, campaign_.build);
    std::printf("%s\nprogram %llu of seed %llu, %s: %s (before it was made small: %s)\n",
                write_c({{small}}).c_str(), static_cast<unsigned long long>(task.number),
                static_cast<unsigned long long>(campaign_.seed), describe(explorer).c_str(),
                disagreement_alone(alone, 0, explorer).c_str(), disagreement.c_str());
    std::fflush(stdout);
  }

  static std::string describe(const Explorer& explorer) {
    std::string text;
    for (const std::string& flag : explorer.flags) text += (text.empty() ? "" : " ") + flag;
    return text;
  }

  const Campaign& campaign_;
  Findings findings_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

Findings run(const Campaign& campaign) { return Run(campaign).run(); }

}  // namespace differential
