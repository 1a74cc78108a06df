#include "weak_campaign.h"

#include <chrono>
#include <cstdio>

#include "machine/model/shrink.h"
#include "weak_verify.h"

namespace mazur::model {

Findings run_weak(const Campaign& campaign) {
  constexpr std::size_t kEnough = 10;
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  Findings findings;
  for (std::uint64_t n = campaign.first;
       findings.programs < campaign.count && findings.disagreements.size() < kEnough;
       n += campaign.step) {
    if (campaign.seconds > 0 && elapsed() > campaign.seconds) break;
    const Program program = generate_weak(campaign.seed, n, campaign.shape);
    if (!is_for_graphs(program)) continue;
    const WeakFindings found = verify_weak(program, n, campaign.max_prefixes);
    if (found.too_large) {
      ++findings.too_large;
      continue;
    }
    ++findings.programs;
    findings.classes += found.executions;
    if (!found.what.empty()) {
      const auto what = [&](const Program& p) {
        const WeakFindings f = verify_weak(p, n, campaign.max_prefixes);
        return f.too_large ? std::string{} : f.what;
      };
      Disagreement d{.number = n, .explorer = "graph", .original = found.what};
      d.program = shrink(program, [&](const Program& p) { return !what(p).empty(); });
      d.what = what(d.program);
      if (campaign.progress) std::fprintf(stderr, "%s\n", d.describe().c_str());
      findings.disagreements.push_back(std::move(d));
    }
    if (campaign.progress && findings.programs % 1'000 == 0)
      std::fprintf(stderr, "%llu programs, %.0f s, %zu disagreements\n",
                   static_cast<unsigned long long>(findings.programs), elapsed(),
                   findings.disagreements.size());
  }
  findings.seconds = elapsed();
  return findings;
}

}  // namespace mazur::model
