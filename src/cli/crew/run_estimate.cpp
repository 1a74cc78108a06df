#include "cli/crew/run_estimate.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/archive.h"

namespace mazur {
namespace {

// Forgotten when the run begins again, as all reports.
constexpr char kName[] = "report/estimates";
constexpr std::chrono::seconds kPause{2};

constexpr auto points_fields = [](auto& archive, auto& points) {
  archive.list(points, [](auto& a, auto& point) {
    a.real(point.executions);
    a.real(point.total);
  });
};

bool makes_sense(const std::vector<Estimate::Point>& points) {
  double last = 0;
  for (const Estimate::Point& point : points) {
    const bool is_good = point.executions > last && point.executions < 1e18 &&
                         point.total >= point.executions && std::isfinite(point.total);
    if (!is_good) return false;
    last = point.executions;
  }
  return true;
}

}  // namespace

std::vector<Estimate::Point> RunEstimate::kept() const {
  std::vector<Estimate::Point> points;
  const auto bytes = ledger_.get(kName);
  if (!bytes) return points;
  Reader reader(*bytes);
  points_fields(reader, points);
  if (!reader.done() || !makes_sense(points)) points.clear();
  return points;
}

// Somebody may have begun again.
void RunEstimate::keep_up() {
  const unsigned beginning = ledger_.totals().beginnings;
  if (std::exchange(beginning_, beginning) == beginning) return;
  estimate_.go_on(ledger_.is_durable() ? kept() : std::vector<Estimate::Point>());
  has_news_ = false;
}

void RunEstimate::note(const Tally& tally, double explored) {
  keep_up();
  if (!estimate_.is_due(tally.total())) return;
  estimate_.note(tally.total(), std::min(explored, 1.0));
  has_news_ = true;
  if (Clock::now() - written_ > kPause) keep();
}

void RunEstimate::keep() {
  if (!ledger_.is_durable() || !has_news_ || estimate_.points().empty()) return;
  has_news_ = false;
  written_ = Clock::now();
  // Others may know more.
  auto theirs = kept();
  if (!theirs.empty() && theirs.back().executions > estimate_.points().back().executions) {
    estimate_.go_on(std::move(theirs));
    return;
  }
  Writer writer;
  points_fields(writer, estimate_.points());
  ledger_.replace(kName, writer.take());
}

Explored RunEstimate::told(const Tally& tally) {
  keep_up();
  if (tally.complete == 0 || (tally.failures > 0 && !ledger_.facts().keep_going)) return {};
  return estimate_.explored(tally.total());
}

}  // namespace mazur
