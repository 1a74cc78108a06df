#include "report/orders/old_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "report/schedule_table.h"
#include "trace/fields.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

bool has_written(const Label& label) {
  if (label.kind == OpKind::kStore || label.kind == OpKind::kOnceLeave) return true;
  return (is_memory(label.kind) || is_once(label.kind)) && label.kind != OpKind::kLoad &&
         label.success;
}

}  // namespace

std::size_t count_old_values(const Record& record) {
  return static_cast<std::size_t>(std::ranges::count_if(
      record.events, [](const Event& event) { return event.label.ref != kNewest; }));
}

std::vector<OldValue> old_values(const Record& record, const Places& places) {
  std::vector<OldValue> found;
  std::map<ObjectId, std::size_t> newest;  // the newest store that was run, by its address
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    const Event& event = record.events[i];
    const Label& label = event.label;
    const auto newer = newest.find(label.object);
    if (label.ref != kNewest && newer != newest.end()) {
      const bool stale = label.ref != kBehind;
      const std::string other = fmt::format(
          "{} of step {}", describe_event(record.events[newer->second], places), newer->second + 1);
      const std::string why =
          stale ? fmt::format("older than {}, not visible yet: {}", other,
                              memory_order_name(label.order))
                : fmt::format("comes before {} in the order of this object's stores", other);
      found.push_back(
          {i, newer->second, stale, fmt::format("{} ({})", describe_event(event, places), why)});
    }
    if (has_written(label) && label.ref == kNewest) newest[label.object] = i;
  }
  return found;
}

std::string in_words(const std::vector<OldValue>& values) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> lines;  // sentence, steps
  for (const OldValue& old : values) {
    auto at = std::ranges::find(lines, old.sentence, [](const auto& line) { return line.first; });
    if (at == lines.end()) at = lines.insert(at, {old.sentence, {}});
    at->second.push_back(old.event + 1);
  }
  std::string text;
  for (const auto& [sentence, steps] : lines) {
    text += steps.size() == 1 ? "  step " : "  steps ";
    for (std::size_t i = 0, end = 0; i < steps.size(); i = end) {
      for (end = i + 1; end < steps.size() && steps[end] == steps[end - 1] + 1;) ++end;
      if (i > 0) text += ", ";
      text += std::to_string(steps[i]);
      if (end - i > 1) text += (end - i == 2 ? ", " : "-") + std::to_string(steps[end - 1]);
    }
    text += ": " + sentence + "\n";
  }
  return text;
}

}  // namespace mazur
