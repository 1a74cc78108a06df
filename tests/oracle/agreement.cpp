#include "agreement.h"

#include <chrono>
#include <cstdio>

#include "machine/model/shrink.h"
#include "machine/model/text.h"
#include "verify.h"

namespace mazur::model {
namespace {

constexpr std::size_t kEnough = 10;

class Run {
 public:
  explicit Run(const Campaign& campaign) : campaign_(campaign) {
    for (const std::string& name : campaign.explorers) {
      subjects_.push_back(subjects(name));
      observed_ = observed_ || subjects_.back().front().observed;
    }
  }

  Findings run() {
    for (std::uint64_t n = campaign_.first;
         findings_.programs < campaign_.count && findings_.disagreements.size() < kEnough;
         n += campaign_.step) {
      if (campaign_.seconds > 0 && elapsed() > campaign_.seconds) break;
      check(n);
    }
    findings_.seconds = elapsed();
    return std::move(findings_);
  }

 private:
  Answer answer_to(const Program& program) const {
    return brute_force(program, campaign_.max_prefixes, 200, observed_);
  }

  double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  void check(std::uint64_t number) {
    const Program program = generate(campaign_.seed, number, campaign_.shape);
    const Answer answer = answer_to(program);
    if (!answer.complete) {
      ++findings_.too_large;
      return;
    }
    ++findings_.programs;
    findings_.classes += answer.classes.size();
    findings_.schedules += answer.schedules;
    for (const auto& [name, end] : answer.classes) {
      if (!end.deadlock) continue;
      ++findings_.blocking;
      break;
    }
    if (!answer.inconsistent.empty()) {
      shrink_inconsistent(number, program, answer.inconsistent);
      return;
    }
    for (const std::vector<Subject>& choices : subjects_) {
      if (campaign_.all_subjects)
        for (const Subject& subject : choices) check(number, program, answer, subject);
      else
        check(number, program, answer, choices[number / 2 % choices.size()]);
    }
    if (campaign_.progress && findings_.programs % 10'000 == 0)
      std::fprintf(stderr, "%llu programs, %.0f s, %zu disagreements\n",
                   static_cast<unsigned long long>(findings_.programs), elapsed(),
                   findings_.disagreements.size());
  }

  void check(std::uint64_t number, const Program& program, const Answer& answer, Subject subject) {
    if (subject.every_schedule && answer.schedules > campaign_.max_schedules) return;
    if (!subject.options.sleep_sets && subject.options.pick != PickOrder::kContinue &&
        answer.schedules > campaign_.max_repeated)
      return;
    subject.options.seed = number + 1;
    const std::string what = verify(program, answer, subject);
    if (what.empty()) return;
    Disagreement d{.number = number, .explorer = subject.describe(), .original = what};
    d.program = shrink(program, [&](const Program& p) {
      const Answer a = answer_to(p);
      return a.complete && a.inconsistent.empty() && !verify(p, a, subject).empty();
    });
    d.what = verify(d.program, answer_to(d.program), subject);
    report(std::move(d));
  }

  void shrink_inconsistent(std::uint64_t number, const Program& program, const std::string& what) {
    Disagreement d{.number = number, .original = what};
    d.program = shrink(program, [&](const Program& p) {
      const Answer a = answer_to(p);
      return a.complete && !a.inconsistent.empty();
    });
    d.what = answer_to(d.program).inconsistent;
    report(std::move(d));
  }

  void report(Disagreement d) {
    if (campaign_.progress) std::fprintf(stderr, "%s\n", d.describe().c_str());
    findings_.disagreements.push_back(std::move(d));
  }

  const Campaign& campaign_;
  std::vector<std::vector<Subject>> subjects_;
  bool observed_ = false;  // some subject is about classes modulo observability
  Findings findings_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string Disagreement::describe() const {
  return "program " + std::to_string(number) + ", " +
         (explorer.empty() ? std::string("the oracle itself") : explorer) + ": " + what +
         " (before shrinking: " + original + ")\n" + print(program);
}

Findings run(const Campaign& campaign) { return Run(campaign).run(); }

}  // namespace mazur::model
