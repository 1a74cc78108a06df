#include "cli/result/findings.h"

#include <algorithm>
#include <set>

#include "cli/run/unseen_code.h"
#include "report/findings/symbols.h"
#include "report/orders/order_advice.h"
#include "report/schedule_table.h"

namespace mazur {
namespace {

// Counts places in the program's own code: an atomic operation of C++ may be a call into a header.
void add_weak_operations(const Record& note, Result& result) {
  Symbols symbols(note.modules);
  const Places places = locate(note, symbols);
  const auto is_user = [&](std::uint64_t pc) {
    const auto found = places.code.find(pc);
    return found != places.code.end() && std::any_of(found->second.begin(), found->second.end(),
                                                     [](const Frame& f) { return f.user; });
  };
  std::set<std::uint64_t> seen;
  for (const auto& stack : note.event_stacks) {
    if (stack.empty()) continue;
    const auto own = std::find_if(stack.begin(), stack.end(), is_user);
    seen.insert(own != stack.end() ? *own : stack.front());
  }
  result.weak_operations = seen.size();
  if (!note.event_stacks.empty()) result.first_weak = places.where(note.event_stacks.front());
}

void add_busiest(const Record& note, Result& result) {
  if (note.event_stacks.empty()) return;
  Symbols symbols(note.modules);
  const Places places = locate(note, symbols);
  result.busiest = {places.where(note.event_stacks.front()), note.count, note.found_steps, {}};
}

// After the note about the loop itself.
void add_reason(const Record& note, Result& result) {
  if (note.events.empty() || note.event_stacks.empty()) return;
  if (note.found_steps != kNoLoop && note.found_steps >= result.cut_loops.size()) return;
  Symbols symbols(note.modules);
  const Places places = locate(note, symbols);
  (note.found_steps == kNoLoop ? result.busiest.reason
                               : result.cut_loops[note.found_steps].reason) = {
      .what = static_cast<LoopObstacle>(note.count),
      .operation = describe_event(note.events.front(), places),
      .where = places.where(note.event_stacks.front())};
}

void add_cut_loops(const Record& note, Result& result) {
  Symbols symbols(note.modules);
  const Places places = locate(note, symbols);
  for (std::size_t i = 0; i < note.events.size() && i < note.event_stacks.size(); ++i) {
    const Label& label = note.events[i].label;
    const std::vector<std::uint64_t>& stack = note.event_stacks[i];
    result.cut_loops.push_back(
        {.where = places.where(stack.empty() ? std::vector<std::uint64_t>{label.pc} : stack),
         .rounds = label.written,
         .times = label.read});
  }
}

}  // namespace

Result make_result(ProgramEnd& end, const std::string& algorithm) {
  Result result{.algorithm = algorithm,
                .verdict = end.verdict,
                .reason = end.reason,
                .statistics = end.statistics,
                .cuts = end.cuts,
                .tally = end.tally,
                .portfolio = end.portfolio,
                .seconds = end.seconds,
                .explored = end.explored,
                .peak_rss_kb = end.peak_rss_kb,
                .findings = {}};
  result.has_unexplored_wakeups = end.has_unexplored_wakeups;
  result.has_sequential_objects = end.has_sequential_objects;
  result.unmet_loop_lines = end.unmet_loop_lines;
  for (const Record& note : end.notes) {
    if (note.message.text == kWeakNote) add_weak_operations(note, result);
    if (note.message.text == kBusiestNote) add_busiest(note, result);
    if (note.message.text == kUnrollNote) add_cut_loops(note, result);
    if (note.message.text == kReasonNote) add_reason(note, result);
  }
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

Result complete_result(ProgramEnd& end, const Request& request) {
  Result result = make_result(end, request.algorithm);
  result.memory = request.explorer.memory;
  result.spurious_wakeups = request.spurious_wakeups;
  advise_on_orders(result);
  consider_modules(result, end.modules);
  return result;
}

}  // namespace mazur
