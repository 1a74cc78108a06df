#include "oracle.h"

#include <deque>

#include "trace/wait_set.h"

namespace mazur::model {
namespace {

class Search {
 public:
  Search(const Program& program, std::uint64_t max_prefixes, std::size_t max_events, bool observed)
      : causality_(program.threads.size()),
        max_prefixes_(max_prefixes),
        max_events_(max_events),
        observed_(observed) {
    levels_.push_back({State(&program), {}});
  }

  Answer run() {
    answer_.complete = true;
    answer_.schedules = visit(0);
    answer_.prefixes = visited_.size();
    return std::move(answer_);
  }

 private:
  struct Level {
    State state;
    std::vector<Pending> frontier;
  };
  struct Visited {
    std::uint64_t state = 0;
    std::uint64_t schedules = 0;
  };

  // Searches from levels_[depth].state. Returns the number of maximal continuations.
  std::uint64_t visit(std::size_t depth) {
    if (visited_.size() >= max_prefixes_ || depth >= max_events_) answer_.complete = false;
    if (!answer_.complete) return 0;
    const ClassName name = causality_.name();
    const std::uint64_t state = levels_[depth].state.hash();
    if (const auto found = visited_.find(name); found != visited_.end()) {
      if (found->second.state != state && answer_.inconsistent.empty()) note_inconsistency();
      return found->second.schedules;
    }
    if (levels_.size() == depth + 1) levels_.push_back(levels_[depth]);
    Level& here = levels_[depth];
    Level& next = levels_[depth + 1];
    here.state.frontier(here.frontier);
    std::uint64_t schedules = 0;
    for (const Pending& p : here.frontier) {
      answer_.awaits = answer_.awaits || p.op.kind == OpKind::kAwait;
      answer_.waiting_loops = answer_.waiting_loops || is_waiting_round(p.op);
      answer_.messages = answer_.messages || p.op.kind == OpKind::kSend;
      for (std::uint16_t choice = 0; p.enabled && choice < p.ways; ++choice) {
        next.state = here.state;
        causality_.append(next.state.run({p.thread, choice}));
        const std::uint64_t more = visit(depth + 1);
        schedules = schedules + more < schedules ? ~std::uint64_t{0} : schedules + more;
        causality_.truncate(depth);
      }
    }
    if (schedules == 0 && answer_.complete) {
      schedules = 1;
      answer_.classes.emplace(name, ending(here.state));
      if (observed_) {
        const auto event = [&](std::size_t i) -> const Event& { return causality_[i]; };
        answer_.observed_classes.insert(observed_class(event, causality_.size(), here.state));
        std::vector<int> mailboxes = mailboxes_shown(event, causality_.size(), here.state);
        if (mailboxes_.empty()) mailboxes_ = mailboxes;
        // An explorer also knows what was waited for when the program was ended.
        const bool exited =
            causality_.size() > 0 && event(causality_.size() - 1).label.kind == OpKind::kExit;
        answer_.uneven_messages = answer_.uneven_messages || exited || mailboxes != mailboxes_;
      }
      answer_.shown.insert(shown(here.state));
    }
    visited_[name] = {state, schedules};
    return schedules;
  }

  void note_inconsistency() {
    answer_.inconsistent = "another execution of this class reached another state:";
    for (std::size_t i = 0; i < causality_.size(); ++i) {
      const Event& e = causality_[i];
      answer_.inconsistent.append(" ").append(std::to_string(e.thread));
      if (e.ways > 1) answer_.inconsistent.append("/").append(std::to_string(e.choice));
    }
  }

  Causality causality_;
  std::uint64_t max_prefixes_;
  std::size_t max_events_;
  bool observed_;
  std::deque<Level> levels_;  // a deque: references stay valid while it grows
  std::unordered_map<ClassName, Visited> visited_;
  std::vector<int> mailboxes_;  // as shown by the first execution
  Answer answer_;
};

}  // namespace

Ending ending(const State& state) {
  Ending e{.state = state.hash()};
  bool live = false;
  for (ThreadId t = 0; t < state.threads(); ++t) {
    const Life life = state.thread(t).life;
    live = live || life == Life::kLive;
    e.assumed_away = e.assumed_away || life == Life::kAssumedAway;
    e.failure = e.failure || life == Life::kFailedAssertion || life == Life::kMisused ||
                life == Life::kDiverged;
  }
  e.deadlock = live && !e.assumed_away && !state.finished();
  return e;
}

std::set<Ending> Answer::endings() const {
  std::set<Ending> set;
  for (const auto& [name, end] : classes) set.insert(end);
  return set;
}

Answer brute_force(const Program& program, std::uint64_t max_prefixes, std::size_t max_events,
                   bool observed) {
  Answer answer = Search(program, max_prefixes, max_events, observed).run();
  for (const Thread& thread : program.threads)
    for (const Instruction& in : thread.code) answer.parts = answer.parts || is_partial(in.code);
  return answer;
}

}  // namespace mazur::model
