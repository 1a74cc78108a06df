// Messages and tables in reports: what a send, a receive or an operation on a key did, and the
// arrows between the steps of a schedule.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/findings/finding.h"

namespace mazur {

bool is_message(const Operation& op);  // a send or a receive
bool is_table_operation(const Operation& op);

// "send lock: acquire", "receive inbox: acquire or release"
std::string describe_message(const Operation& op, const Places& places);
// The same of an executed one: a receive that took nothing timed out.
std::string describe_message(const Label& label, const Places& places);
// "insert_new index[7], failed"
std::string describe_table(const Label& label, const Places& places);
std::string describe_table(const Operation& op, const Places& places);

// From the step that sends a message to the one that receives it, and back.
class Arrows {
 public:
  explicit Arrows(const std::vector<Event>& events);
  // "receive lock: acquire": a receive with the message that it took.
  std::string describe(std::size_t event, const Places& places) const;
  // " -> #5" at a send, " <- #3" at a receive, by the numbers that steps have in a table, from 1;
  // "" for any other step and for a message that nobody received.
  std::string at(std::size_t event) const;
  // The step that receives what this one sends; events.size() if there is none.
  std::size_t receiver(std::size_t event) const;

 private:
  const std::vector<Event>& events_;
  std::unordered_map<std::uint64_t, std::size_t> sends_, receives_;  // by message
};

}  // namespace mazur
