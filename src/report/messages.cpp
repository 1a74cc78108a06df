#include "report/messages.h"

#include <fmt/format.h>

#include "report/schedule_table.h"
#include "trace/fields.h"

namespace mazur {
namespace {

std::string alternative(ObjectId mailbox, unsigned number, const Places& places) {
  const auto found = places.objects.find(alternative_name(mailbox, number));
  return found != places.objects.end() ? found->second : "";
}

// What a receive selects, by names; "" if it takes anything, or nothing is known.
std::string accepted_names(const Operation& op, const Places& places) {
  if (accepted(op) == ~std::uint64_t{0}) return "";
  std::string text;
  for (unsigned i = 0; i < kAlternatives; ++i) {
    if ((accepted(op) >> i & 1) == 0) continue;
    const std::string name = alternative(op.object, i, places);
    if (!name.empty()) text += (text.empty() ? "" : " or ") + name;
  }
  return text;
}

// The numbers of include/mazur/table.h.
std::string entry(std::uint64_t number) {
  if (number == 0) return "nothing";
  return number % 2 == 1 ? fmt::format("{}", number >> 1) : "an entry";
}

}  // namespace

bool is_message(const Operation& op) {
  return op.kind == OpKind::kSend || op.kind == OpKind::kReceive;
}

bool is_table_operation(const Operation& op) {
  switch (op.kind) {
    case OpKind::kLoad:
    case OpKind::kStore:
    case OpKind::kRmw:
    case OpKind::kCas:
      return is_table_key(op.object);
    default:
      return false;
  }
}

std::string describe_message(const Operation& op, const Places& places) {
  const bool sends = op.kind == OpKind::kSend;
  const std::string what =
      sends ? alternative(op.object, alternative_of(op), places) : accepted_names(op, places);
  return fmt::format("{} {}{}", sends ? "send" : "receive", object_name(op.object, places),
                     what.empty() ? "" : ": " + what);
}

std::string describe_message(const Label& label, const Places& places) {
  const std::string text = describe_message(static_cast<const Operation&>(label), places);
  return label.kind == OpKind::kReceive && !label.success ? text + ", timed out" : text;
}

std::string describe_table(const Operation& op, const Places& places) {
  const char* word = op.kind == OpKind::kLoad    ? "lookup"
                     : op.kind == OpKind::kStore ? "write"
                     : op.kind == OpKind::kRmw   ? "take"
                                                 : "insert_new";
  return fmt::format("{} {}", word, object_name(op.object, places));
}

std::string describe_table(const Label& label, const Places& places) {
  const std::string key = object_name(label.object, places);
  switch (label.kind) {
    case OpKind::kLoad:
      return fmt::format("lookup {} = {}", key, entry(label.read));
    case OpKind::kStore:
      return label.written == 0 ? "erase " + key
                                : fmt::format("insert {} := {}", key, entry(label.written));
    case OpKind::kRmw:
      return fmt::format("take {} = {}", key, entry(label.read));
    default:
      return label.success ? fmt::format("insert_new {} := {}", key, entry(label.written))
                           : fmt::format("insert_new {}, there is {}", key, entry(label.read));
  }
}

Arrows::Arrows(const std::vector<Event>& events) : events_(events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Label& label = events[i].label;
    if (label.kind == OpKind::kSend) sends_[sent_message(label)] = i;
    if (label.kind == OpKind::kReceive && label.success) receives_[taken_message(label)] = i;
  }
}

std::string Arrows::describe(std::size_t event, const Places& places) const {
  const Label& label = events_[event].label;
  if (label.kind == OpKind::kReceive && label.success) {
    if (const auto found = sends_.find(taken_message(label)); found != sends_.end()) {
      Operation taken = label;
      taken.value = std::uint64_t{1}
                    << (alternative_of(events_[found->second].label) % kAlternatives);
      return describe_message(taken, places);
    }
  }
  return describe_message(label, places);
}

std::size_t Arrows::receiver(std::size_t event) const {
  const Label& label = events_[event].label;
  if (label.kind != OpKind::kSend) return events_.size();
  const auto found = receives_.find(sent_message(label));
  return found != receives_.end() ? found->second : events_.size();
}

std::string Arrows::at(std::size_t event) const {
  const Label& label = events_[event].label;
  if (const std::size_t to = receiver(event); to != events_.size())
    return fmt::format(" -> #{}", to + 1);
  if (label.kind != OpKind::kReceive || !label.success) return "";
  const auto found = sends_.find(taken_message(label));
  return found != sends_.end() ? fmt::format(" <- #{}", found->second + 1) : "";
}

}  // namespace mazur
