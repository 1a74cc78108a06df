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

Program threads(const std::vector<std::string>& code) {
  std::string text = "variables 0 0 0 0 0 0 0 0\nmutexes 1\n";
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
  if (!result.finished && found.complaint.empty()) found.complaint = result.reason;
  if (result.tally.blocked != 0) found.complaint = "blocked executions";
  return found;
}

}  // namespace mazur::model
