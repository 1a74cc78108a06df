#include "report/machines/finding_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/findings/names.h"
#include "report/findings/relevant.h"
#include "report/messages.h"
#include "report/orders/old_values.h"
#include "report/orders/sites.h"
#include "report/schedule_table.h"
#include "report/waiting.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

using Json = nlohmann::ordered_json;

// A call stack that belongs to the error, and what there is to say about its thread.
struct Side {
  ThreadId thread;
  std::string what;
  const std::vector<std::uint64_t>& stack;
};

std::vector<Side> sides_of(const Finding& finding) {
  const Record& record = finding.record;
  std::vector<Side> sides;
  if (is_standstill(record)) {
    // Where each of the threads waits: none of them alone is at fault.
    const auto held = held_at_end(record);
    for (const ThreadState& thread : record.threads) {
      if (thread.ended) continue;
      const auto locks = held.find(thread.thread);
      sides.push_back({thread.thread,
                       waiting(thread, finding) +
                           (locks == held.end() ? "" : holding(locks->second, finding.places)),
                       thread.stack});
    }
    if (!sides.empty()) return sides;
  }
  const std::string holds = holding(record.locks, finding.places);
  sides.push_back({record.thread, holds.empty() ? "" : holds.substr(2), record.stack});
  if (const OtherSide& other = record.other; other.thread != kNoThread)
    sides.push_back({other.thread, "earlier " + other.what + holding(other.locks, finding.places),
                     other.stack});
  return sides;
}

// The line that a reader should see first; at a standstill, where a thread waits for another
// reason than that others have to end.
Frame main_place(const Finding& finding) {
  const Record& record = finding.record;
  Frame best = finding.places.where(record.stack);
  if (!is_standstill(record)) return best;
  for (const ThreadState& thread : record.threads) {
    if (thread.ended || thread.enabled || thread.op.kind == OpKind::kJoin) continue;
    if (Frame frame = finding.places.where(thread.stack); frame.line != 0) return frame;
  }
  return best;
}

Json place_json(const Frame& frame) {
  return {{"function", frame.function}, {"file", frame.file}, {"line", frame.line}};
}

void add_stacks(Json& json, const Finding& finding) {
  json["frames"] = Json::array();
  json["stacks"] = Json::array();
  for (const Side& side : sides_of(finding)) {
    const std::vector<Frame> frames = finding.places.stack(side.stack, true);
    if (frames.empty() && side.what.empty()) continue;
    for (const Frame& frame : frames) {
      Json& added = json["frames"].emplace_back(place_json(frame));
      added["thread"] = side.thread;
      added["user"] = frame.user;
    }
    Json& stack = json["stacks"].emplace_back(Json::object());
    if (side.thread != kNoThread) stack["thread"] = side.thread;
    stack["frames"] = frames.size();
    if (!side.what.empty()) stack["what"] = side.what;
  }
  if (const Frame frame = main_place(finding); frame.line != 0) {
    json["place"] = place_json(frame);
    if (!frame.text.empty()) json["place"]["text"] = frame.text;
  }
}

Json events_json(const Finding& finding) {
  const Record& record = finding.record;
  const std::vector<bool> matters = steps_that_matter(record);
  const bool all = record.events.size() <= kMostEvents;
  std::vector<std::size_t> listed;
  for (std::size_t i = 0; i < record.events.size(); ++i)
    if (all || matters[i]) listed.push_back(i);
  if (listed.size() > kMostEvents)
    listed.erase(listed.begin(), listed.end() - static_cast<std::ptrdiff_t>(kMostEvents));
  const std::vector<OldValue> old = old_values(record, finding.places);
  const Arrows arrows(record.events);
  Json events = Json::array();
  for (const std::size_t i : listed) {
    const Event& event = record.events[i];
    Json& json = events.emplace_back(Json{{"step", i + 1}, {"thread", event.thread}});
    json["operation"] = is_message(event.label) ? arrows.describe(i, finding.places)
                                                : describe_event(event, finding.places);
    const auto found =
        std::find_if(old.begin(), old.end(), [i](const OldValue& o) { return o.event == i; });
    if (found != old.end()) json["old_value"] = found->sentence;
    if (const Frame where = finding.places.where(record, i); where.line != 0)
      json.update(place_json(where));
    json["matters"] = static_cast<bool>(matters[i]);
    if (std::binary_search(record.preemptions.begin(), record.preemptions.end(), i))
      json["preempts"] = true;
  }
  return events;
}

void add_orders(Json& json, const OrderAdvice& orders) {
  for (const OrderChange& change : orders.forbidden_by)
    json["forbidden_by"].push_back({{"order", memory_order_name(change.order)},
                                    {"operation", site_operation(change.kind)},
                                    {"file", change.where.file},
                                    {"line", change.where.line}});
  for (const NewFence& fence : orders.forbidden_by_fences)
    json["forbidden_by_fences"].push_back({{"order", memory_order_name(fence.order)},
                                           {"file", fence.after.file},
                                           {"after_line", fence.after.line},
                                           {"before_line", fence.before.line}});
  if (orders.fails_under_sc) json["fails_under_sc"] = true;
}

}  // namespace

Json finding_json(const Finding& finding, bool output) {
  const Record& record = finding.record;
  Json json;
  json["kind"] = kind_name(record.kind);
  json["message"] = named_message(record, finding.places);
  if (record.thread != kNoThread && !is_standstill(record)) json["thread"] = record.thread;
  if (!finding.hint.empty()) json["hint"] = finding.hint;
  json["count"] = record.count;
  if (record.by_portfolio) json["portfolio"] = true;
  if (!finding.trace.empty()) json["trace"] = finding.trace;
  add_stacks(json, finding);
  json["schedule"] = {{"steps", record.events.size()},
                      {"preemptions", record.preemptions.size()},
                      {"minimal", record.minimal}};
  if (const std::size_t old = count_old_values(record); old != 0)
    json["schedule"]["old_values"] = old;
  json["events"] = events_json(finding);
  add_orders(json, finding.orders);
  for (const auto& [thread, name] : record.thread_names)
    json["thread_names"][std::to_string(thread)] = name;
  for (const auto& [object, name] : record.object_names) json["object_names"][hex(object)] = name;
  if (output && !record.output.empty()) json["output"] = record.output;
  return json;
}

}  // namespace mazur
