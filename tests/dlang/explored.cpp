#include "explored.h"

namespace mazur::dlang {
namespace {

class Notes final : public Watcher {
 public:
  Notes(Explored& result, const DlangMachine& machine, std::size_t threads, bool classes)
      : result_(result), machine_(machine), causality_(threads + 1), classes_(classes) {}

  void failed(const Trace&, const Frontier&, const Failure& failure) override {
    result_.failures.push_back(failure);
  }
  void ended(const Trace& trace, const Tally&, End end) override {
    if (!classes_ || end != End::kComplete) return;
    causality_.truncate(0);
    for (const Event& event : trace.events()) causality_.append(event);
    ++result_.classes[causality_.name()];
    const auto state = machine_.fingerprint();
    const auto [known, fresh] = result_.ends.try_emplace(causality_.name(), state);
    if (!fresh && known->second != state) result_.inconsistent = true;
  }

 private:
  Explored& result_;
  const DlangMachine& machine_;
  model::Causality causality_;
  bool classes_;
};

}  // namespace

Explored explored(const Program& program, const Exploration& how) {
  Explored result;
  DlangMachine machine(program, how.machine);
  const auto explorer = make_explorer(how.algorithm, how.options);
  Notes notes(result, machine, program.processes.size(), how.classes);
  result.outcome = explore(machine, *explorer, how.bounds, notes);
  return result;
}

Explored explored(std::string_view text, const Exploration& how) {
  return explored(parse(text), how);
}

}  // namespace mazur::dlang
