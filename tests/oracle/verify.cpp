#include "verify.h"

#include <stdexcept>

#include "check/loop.h"
#include "explore/registry.h"
#include "machine/model/model_machine.h"

namespace mazur::model {
namespace {

const char* name_of(PickOrder pick) {
  switch (pick) {
    case PickOrder::kContinue:
      return "continue";
    case PickOrder::kLowest:
      return "lowest";
    case PickOrder::kHighest:
      return "highest";
    case PickOrder::kRoundRobin:
      return "round-robin";
    case PickOrder::kRandom:
      return "random";
  }
  return "";
}

// Names the class of every execution that ran to its end.
class Census final : public Watcher {
 public:
  Census(const ModelMachine& machine, std::size_t threads, Explored& explored)
      : machine_(machine), causality_(threads), explored_(explored) {}

  void failed(const Trace&, const Frontier&, const Failure& failure) override {
    if (failure.kind == FailureKind::kUnsupported) explored_.complaint = failure.message.text;
  }

  // Only the classes are visited once that come after it. All endings are real.
  void started_over() override {
    explored_.complete = explored_.blocked = 0;
    explored_.classes.clear();
    explored_.observed_classes.clear();
  }

  void ended(const Trace& trace, const Tally&, End end) override {
    if (end == End::kBlocked) {
      ++explored_.blocked;
      return;
    }
    // Start from the events that this execution shares with the last one.
    std::size_t shared = 0;
    while (shared < causality_.size() && shared < trace.size() &&
           same_event(causality_[shared], trace[static_cast<EventIndex>(shared)]))
      ++shared;
    causality_.truncate(shared);
    for (std::size_t i = shared; i < trace.size(); ++i)
      causality_.append(trace[static_cast<EventIndex>(i)]);
    ++explored_.complete;
    ++explored_.classes[causality_.name()];
    explored_.endings.insert(ending(machine_.state()));
    if (!explored_.by_observation) return;
    ++explored_.observed_classes[observed_class(
        [&](std::size_t i) -> const Event& { return causality_[i]; }, causality_.size(),
        machine_.state())];
    explored_.shown.insert(shown(machine_.state()));
  }

 private:
  const ModelMachine& machine_;
  Causality causality_;
  Explored& explored_;
};

}  // namespace

std::string Subject::describe() const {
  std::string s = name + ", pick " + name_of(options.pick);
  if (options.base == ContextBase::kOptimal) s += ", on optimal";
  if (name == "dpor") s += options.sleep_sets ? ", sleep sets" : ", no sleep sets";
  if (name == "quasi") s += ", k = " + std::to_string(options.quasi_k);
  if (options.stored_states) s += ", stored states";
  return s;
}

std::vector<Subject> subjects(const std::string& name) {
  const ExplorerEntry* entry = find_explorer(name);
  if (entry == nullptr) throw std::invalid_argument("no such explorer: " + name);
  if (entry->covers == Covers::kSchedules)
    return {{.name = name, .options = {}, .every_schedule = true}};
  std::vector<Subject> all;
  for (PickOrder pick : {PickOrder::kContinue, PickOrder::kLowest, PickOrder::kHighest,
                         PickOrder::kRoundRobin, PickOrder::kRandom}) {
    Subject s{.name = name, .options = {.pick = pick}};
    s.observed = entry->covers == Covers::kObserved || entry->covers == Covers::kObservedStates;
    s.states = entry->merges_states();
    s.never_blocked = entry->never_blocked;
    s.never_repeats = entry->once;
    s.partial = entry->partial;
    all.push_back(s);
    if (name == "lazy") {
      s.options.stored_states = s.only_endings = true;
      all.push_back(s);
    }
    if (name == "dpor") {
      s.options.sleep_sets = false;
      all.push_back(s);
    }
    if (name == "context") {
      s.options.base = ContextBase::kOptimal;
      all.push_back(s);
    }
    for (s.options.quasi_k = 1; name == "quasi" && s.options.quasi_k <= 3; ++s.options.quasi_k) {
      s.never_blocked = false;
      all.push_back(s);
    }
  }
  return all;
}

Explored explore_all(const Program& program, const Subject& subject, std::uint64_t max_executions) {
  Explored explored;
  explored.by_observation = subject.observed;
  ModelMachine machine(program);
  const auto explorer = make_explorer(subject.name, subject.options);
  if (explorer == nullptr) throw std::invalid_argument("no such explorer: " + subject.name);
  Census census(machine, program.threads.size(), explored);
  const Bounds bounds{.max_steps = 1000, .max_executions = max_executions, .keep_going = true};
  Outcome outcome;
  try {
    outcome = explore(machine, *explorer, bounds, census);
  } catch (const std::logic_error& error) {  // a broken invariant of the explorer
    explored.complaint = error.what();
    return explored;
  }
  // Next to an error an explorer need not be exhaustive.
  const bool failed = outcome.verdict == Verdict::kBug && outcome.cuts.empty();
  if (!outcome.finished && !failed) explored.complaint = "not finished: " + outcome.reason;
  return explored;
}

namespace {

// Each class modulo observability exactly once; at least once where awaits, ways to receive
// messages or accesses to parts have made some orders count that nobody observes.
std::string verify_observed(const Answer& answer, const Explored& explored) {
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  std::size_t missing = 0;
  for (const ClassName& name : answer.observed_classes)
    missing += !explored.observed_classes.contains(name);
  if (missing != 0)
    return number(missing) + " of " + number(answer.observed_classes.size()) +
           " classes modulo observability not visited";
  if (explored.observed_classes.size() != answer.observed_classes.size())
    return "classes modulo observability visited that brute force does not know";
  if (explored.shown != answer.shown) return "other ends of threads than by brute force";
  if (answer.awaits || answer.parts || answer.uneven_messages) return {};
  if (explored.complete > answer.classes.size())
    return number(explored.complete) + " complete executions, but only " +
           number(answer.classes.size()) + " traces";
  if (explored.complete != answer.observed_classes.size())
    return number(explored.complete) + " complete executions for " +
           number(answer.observed_classes.size()) + " classes modulo observability";
  if (explored.blocked != 0) return number(explored.blocked) + " blocked executions";
  return {};
}

// Every final state (or all that threads show) is reached, and nothing else; no trace is run to its
// end twice.
std::string verify_states(const Answer& answer, const Subject& subject, const Explored& explored) {
  if (subject.observed ? explored.shown != answer.shown : explored.endings != answer.endings())
    return "other final states than by brute force";
  if (subject.observed && (answer.awaits || answer.parts || answer.uneven_messages)) return {};
  const std::size_t limit = answer.classes.size();  // no more than optimal
  if (explored.complete > limit)
    return std::to_string(explored.complete) + " complete executions for " + std::to_string(limit) +
           " classes";
  return {};
}

// Whether a loop waits next to an update that may change nothing. Then execution graphs sometimes
// repeat a class.
bool has_loop_and_update(const Program& program) {
  bool loop = false, update = false;
  for (const Thread& t : program.threads)
    for (const Instruction& in : t.code) {
      const OpKind kind = form(in.code).kind;
      loop = loop || in.code == Code::kSpin || in.code == Code::kSpinBoth ||
             in.code == Code::kSpinSwap;
      update = update || kind == OpKind::kRmw || kind == OpKind::kCas;
    }
  return loop && update;
}

// Whether so few threads come to barriers that their arrivals commute.
bool has_roomy_barriers(const Program& program) {
  std::ptrdiff_t visitors = 0;
  for (const Thread& t : program.threads) {
    const auto uses = [&](Code code) {
      return std::ranges::count(t.code, code, &Instruction::code);
    };
    if (uses(Code::kArrive) + uses(Code::kInitBarrier) + uses(Code::kDestroyBarrier) > 0)
      return false;
    visitors += uses(Code::kBarrier) > 0 ? 1 : 0;
  }
  return std::ranges::all_of(program.of(ObjectClass::kBarrier),
                             [&](std::int32_t capacity) { return visitors <= capacity; });
}

// Whether all that threads share is memory, tables, mailboxes and barriers with room for all. A
// receive in vain is ordered with messages that it would not have taken, too, and atomic blocks with
// all others.
bool has_only_memory(const Program& program) {
  for (int c = 0; c < kObjectClasses; ++c) {
    const auto shared = static_cast<ObjectClass>(c);
    if (shared == ObjectClass::kBarrier && has_roomy_barriers(program)) continue;
    if (shared != ObjectClass::kVariable && shared != ObjectClass::kKey &&
        shared != ObjectClass::kMailbox && !program.objects[c].empty())
      return false;
  }
  return std::ranges::none_of(program.threads, [](const Thread& t) {
    return std::ranges::any_of(t.code, [](const Instruction& in) {
      return in.code == Code::kReceiveAfter || in.code == Code::kCountAfter ||
             in.code == Code::kAtomicBegin;
    });
  });
}

bool has_lives(const Program& program) {
  return std::ranges::any_of(program.threads, [](const Thread& t) {
    return std::ranges::any_of(t.code,
                               [](const Instruction& in) { return is_life(form(in.code).kind); });
  });
}

// Models go on after an object was used that is not alive, or began or ended in use. Executions of
// real programs end there, and that is all that execution graphs are good for: one must be found.
bool ends_badly(const Answer& answer, const Explored& explored, bool& found) {
  bool any = false;
  for (const auto& [name, end] : answer.classes) {
    any = any || end.failure;
    found = found || (end.failure && explored.classes.contains(name));
  }
  return any;
}

}  // namespace

std::string verify(const Program& program, const Answer& answer, const Subject& subject) {
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  // Even without any reduction there are no more executions than schedules; sleep sets and the like
  // can add blocked ones, at most one for every step.
  const std::uint64_t limit = 1000 + 20 * answer.schedules;
  const Explored explored = explore_all(program, subject, limit < answer.schedules ? 0 : limit);
  if (subject.partial && explored.complaint.find("does not know") != std::string::npos) return {};
  bool found = false;
  if (subject.partial && has_lives(program) && ends_badly(answer, explored, found))
    return found ? "" : "no failure found; " + explored.complaint;
  if (!explored.complaint.empty()) return explored.complaint;
  if (subject.states) return verify_states(answer, subject, explored);
  if (subject.observed) return verify_observed(answer, explored);
  std::size_t missing = 0;
  for (const auto& [name, end] : answer.classes) missing += !explored.classes.contains(name);
  if (missing != 0 && !subject.only_endings)
    return number(missing) + " of " + number(answer.classes.size()) + " classes not visited";
  if (explored.classes.size() + missing != answer.classes.size())
    return number(explored.classes.size() + missing - answer.classes.size()) +
           " classes visited that brute force does not know";
  if (explored.endings != answer.endings()) return "other final states than by brute force";
  const bool never_repeats =
      subject.never_repeats ||
      (subject.partial && has_only_memory(program) && !has_loop_and_update(program));
  if (never_repeats && explored.complete != explored.classes.size())
    return number(explored.complete) + " complete executions for " + number(answer.classes.size()) +
           " classes";
  if (subject.never_blocked && explored.blocked != 0)
    return number(explored.blocked) + " blocked executions";
  if (subject.every_schedule && explored.complete != answer.schedules)
    return number(explored.complete) + " executions for " + number(answer.schedules) + " schedules";
  return {};
}

}  // namespace mazur::model
