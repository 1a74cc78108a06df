#include "litmus.h"

#include <algorithm>

#include "check/loop.h"
#include "explore/graph/graph.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

class Look final : public Watcher {
 public:
  Look(const ModelMachine& machine, const std::function<bool(const State&)>& outcome, Found& found)
      : machine_(machine), outcome_(outcome), found_(found) {}
  void failed(const Trace&, const Frontier&, const Failure& failure) override {
    found_.complaint = failure.message.text;
  }
  void ended(const Trace&, const Tally&, End) override {
    if (outcome_ && outcome_(machine_.state())) found_.outcome = true;
  }

 private:
  const ModelMachine& machine_;
  const std::function<bool(const State&)>& outcome_;
  Found& found_;
};

}  // namespace

std::string_view name_of(MemoryModel model) {
  constexpr std::string_view kNames[] = {"sc", "tso", "pso", "c++20"};
  return kNames[static_cast<std::size_t>(model)];
}

Program threads(const std::vector<std::string>& code, const std::vector<int>& initially) {
  std::string text = "variables";
  for (std::size_t x = 0; x < 8; ++x)
    text += " " + std::to_string(x < initially.size() ? initially[x] : 0);
  text += "\nmutexes 1\n";
  for (std::string lines : code) {
    std::ranges::replace(lines, ';', '\n');
    text += "thread\n" + lines + "\n";
  }
  return parse(text);
}

Found explore_litmus(const Program& program, MemoryModel model,
                     const std::function<bool(const State&)>& outcome) {
  Found found;
  ModelMachine machine(program);
  const auto explorer = make_graph({.memory = model});
  Look look(machine, outcome, found);
  const Outcome result = explore(machine, *explorer, Bounds{.max_steps = 1000}, look);
  found.executions = result.tally.complete;
  found.stopped = result.tally.assume_blocked;
  if (!result.finished && found.complaint.empty()) found.complaint = result.reason;
  if (result.tally.blocked != 0) found.complaint = "blocked executions";
  return found;
}

bool ends_so(const State& s, const litmus::Shape& shape) {
  const auto is = [](std::int32_t value, int wanted) { return wanted < 0 || value == wanted; };
  for (ThreadId t = 0; t < shape.registers.size(); ++t)
    if (!is(s.thread(t).registers[0], shape.registers[t].first) ||
        !is(s.thread(t).registers[1], shape.registers[t].second))
      return false;
  for (unsigned x = 0; x < shape.variables.size(); ++x)
    if (!is(s.variable(x), shape.variables[x])) return false;
  return true;
}

}  // namespace mazur::model
