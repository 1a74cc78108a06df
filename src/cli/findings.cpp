#include "cli/findings.h"

#include "report/symbols.h"

namespace mazur {

Result make_result(ProgramEnd& end, const std::string& algorithm) {
  Result result{.algorithm = algorithm,
                .verdict = end.verdict,
                .reason = end.reason,
                .statistics = end.statistics,
                .cuts = end.cuts,
                .tally = end.tally,
                .seconds = end.seconds,
                .explored = end.explored,
                .peak_rss_kb = end.peak_rss_kb,
                .findings = {}};
  if (end.records.empty()) return result;
  // All records are of one process: one set of modules serves them all.
  Symbols symbols(end.records.back().modules);
  for (Record& record : end.records) {
    Places places = locate(record, symbols);
    result.findings.push_back({std::move(record), std::move(places), {}});
  }
  result.findings = merge_same(std::move(result.findings));
  return result;
}

}  // namespace mazur
