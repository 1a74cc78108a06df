#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace mazur {

std::string duration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 2 * kMinute) return fmt::format("{:.1f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  if (seconds < 2 * kDay) return fmt::format("{:.0f} h", seconds / kHour);
  if (seconds < 365 * kDay) return fmt::format("{:.0f} days", seconds / kDay);
  return "more than a year";
}

std::string percent(double part) {
  if (part >= 1) return "100%";
  if (part < 0.0001) return "less than 0.01%";
  if (part < 0.01) return fmt::format("{:.2f}%", part * 100);
  if (part < 0.1) return fmt::format("{:.1f}%", part * 100);
  return fmt::format("{:.0f}%", std::min(part * 100, 99.0));
}

std::string at_least_duration(double seconds) {
  const std::string text = duration(seconds);
  return text.starts_with("more") ? text : "at least " + text;
}

std::string at_most_percent(double part) {
  const std::string text = percent(part);
  return text.starts_with("less") ? text : "at most " + text;
}

std::string range(const std::string& from, const std::string& to) {
  return from == to ? "about " + to : from + " to " + to;
}

}  // namespace mazur
