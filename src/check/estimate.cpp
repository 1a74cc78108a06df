#include "check/estimate.h"

#include <algorithm>
#include <utility>

namespace mazur {
namespace {

constexpr double kWindow = 4;
constexpr double kMargin = 2;
constexpr double kWidest = 10;
constexpr double kLate = 0.5;
constexpr double kSteady = 2;
constexpr double kTold = 0.95;  // "at most 99%" tells nothing

}  // namespace

void Estimate::note(std::uint64_t executions, double explored) {
  next_ = executions + 1 + executions / 10;
  const auto n = static_cast<double>(executions);
  std::erase_if(points_, [&](const Point& p) { return p.executions * kWindow < n; });
  if (explored > 0) points_.push_back({n, n / explored});
}

void Estimate::go_on(std::vector<Point> points) {
  points_ = std::move(points);
  next_ = kFew / 4;
  if (!points_.empty()) {
    const auto last = static_cast<std::uint64_t>(points_.back().executions);
    next_ = last + 1 + last / 10;
  }
}

Explored Estimate::explored(std::uint64_t executions) const {
  if (executions < kFew || points_.empty()) return {};
  const auto by_total = [](const Point& a, const Point& b) { return a.total < b.total; };
  const auto [smallest, largest] = std::minmax_element(points_.begin(), points_.end(), by_total);
  const double growth = std::max(points_.back().total / points_.front().total, 1.0);
  const auto n = static_cast<double>(executions);
  const double low = std::max(smallest->total / kMargin, n);
  const double high = std::max(largest->total * growth * kMargin, low);
  if (n >= kLate * low && high <= kWidest * low && growth <= kSteady) return {n / high, n / low};
  if (n < kTold * low) return {0, n / low};
  return {};
}

}  // namespace mazur
