#include "protocol/bounds.h"

namespace mazur {
namespace {

struct Words {
  std::string_view name, reason;
};

Words words_of(Cut cut) {
  switch (cut) {
    case Cut::kMaxSteps:
      return {"max-steps", "executions were cut by --max-steps"};
    case Cut::kUnroll:
      return {"unroll", "loops were cut by --unroll"};
    case Cut::kPreemptions:
      return {"preemption-bound",
              "schedules with more preemptions were left out by --preemption-bound"};
    case Cut::kDelays:
      return {"delay-bound", "schedules with more delays were left out by --delay-bound"};
    case Cut::kMaxExecutions:
      return {"max-executions", "--max-executions was reached"};
    case Cut::kTimeLimit:
      return {"time-limit", "--time-limit was reached"};
    case Cut::kContexts:
      return {"context-bound",
              "alternatives with more context switches were left out by --context-bound"};
    case Cut::kStepLimit:
      return {"step-limit", "a step took longer than --step-limit allows"};
    case Cut::kPlainLoop:
      return {"plain-loop",
              "a thread waits in a loop for a plain variable that another one writes "
              "(--races=explore explores that)"};
    case Cut::kTimeouts:
      return {"timeouts", "timeouts were left out by --timeouts"};
    case Cut::kTime:
      return {"time",
              "rounds of loops that sleep or time out were left out, and the program looks at a "
              "clock (--loops=run with --unroll=N runs N of them)"};
    case Cut::kNondet:
      return {"nondet",
              "inputs were tried with some of their values only (--nondet gives a range)"};
  }
  return {};
}

template <typename F>
void for_each(Cuts cuts, F function) {
  for (unsigned i = 0; i < kCuts; ++i)
    if (cuts.contains(static_cast<Cut>(i))) function(words_of(static_cast<Cut>(i)));
}

}  // namespace

std::vector<std::string_view> names(Cuts cuts) {
  std::vector<std::string_view> list;
  for_each(cuts, [&list](const Words& words) { list.push_back(words.name); });
  return list;
}

std::string reason(Cuts cuts) {
  std::string text;
  for_each(cuts, [&text](const Words& words) {
    if (!text.empty()) text += "; ";
    text += words.reason;
  });
  return text;
}

}  // namespace mazur
