#include "machine/model/retry_loops.h"

#include <algorithm>

namespace mazur::model {
namespace {

bool can_begin_round(OpKind kind) {
  return kind == OpKind::kLoad || kind == OpKind::kRmw || kind == OpKind::kCas || may_take(kind);
}

// Calls visit(variable) for those that an instruction may access.
template <typename Visit>
void for_each_variable(const Program& program, const Instruction& in, Visit visit) {
  const Form& f = form(in.code);
  const auto of_place = [&](Part part, ObjectClass c, const Place& place) {
    if (c != ObjectClass::kVariable || !has_part(in.code, part)) return;
    const bool any = place.index != kNoRegister;
    for (unsigned i = 0; i < program.of(c).size(); ++i)
      if (any || place.base == i) visit(i);
  };
  of_place(Part::kPlace, f.of_place, in.place);
  of_place(Part::kPlace2, f.of_place2, in.place2);
}

}  // namespace

bool has_retry_loops(const Program& program) {
  for (const Thread& thread : program.threads)
    for (std::size_t i = 0; i < thread.code.size(); ++i)
      if (thread.code[i].code == Code::kIf && thread.code[i].target <= i) return true;
  return false;
}

RetryLoops::RetryLoops(const Program& program)
    : owners_(program.of(ObjectClass::kVariable).size(), kNoThread) {
  std::vector<bool> shared(owners_.size(), false);
  for (ThreadId t = 0; std::size_t{t} < program.threads.size(); ++t)
    for (const Instruction& in : program.threads[t].code)
      for_each_variable(program, in, [&](unsigned i) {
        shared[i] = shared[i] || (owners_[i] != kNoThread && owners_[i] != t);
        owners_[i] = shared[i] ? kNoThread : t;
      });
}

bool RetryLoops::changed_nothing(ThreadId thread, const Label& did) const {
  switch (did.kind) {
    case OpKind::kLoad:
    case OpKind::kYield:
      return true;
    case OpKind::kStore:
      for (unsigned i = 0; i < owners_.size(); ++i)
        if (owners_[i] == thread && did.object == object_id(ObjectClass::kVariable, i))
          return did.written == did.before;
      return false;
    case OpKind::kCas:
    case OpKind::kRmw:
      return (did.kind == OpKind::kCas && !did.success) || did.written == did.before;
    default:
      return takes_or_gives(did.kind);
  }
}

void RetryLoops::restart(const State& state) {
  loops_.assign(state.threads(), {});
  all_visits_.clear();
  names_.clear();
  for (ThreadId t = 0; t < state.threads(); ++t) arrives(t, state, 0);
}

void RetryLoops::ran(const Event& event, const State& state, std::uint64_t step) {
  const Label& did = event.label;
  Loop& own = loops_[event.thread];
  own.stopped = own.undecided = false;
  if (did.kind == OpKind::kCreate) arrives(child_of(did), state, step + 1);
  for (ThreadId t = 0; std::size_t{t} < loops_.size(); ++t) {
    if (t == event.thread) continue;
    for (Visit& visit : loops_[t].visits) visit.round.observed |= visit.round.is_seen_by(did);
  }
  if (!changed_nothing(event.thread, did) || state.thread(event.thread).life != Life::kLive) {
    own.visits.clear();
    all_visits_.note_change(event.thread);
  } else if (takes_or_gives(did.kind)) {
    std::erase_if(own.visits, [&](Visit& visit) { return !visit.round.note(did, step); });
  } else if (did.kind != OpKind::kYield) {
    for (Visit& visit : own.visits) visit.round.last = step;
  }
  arrives(event.thread, state, step + 1);
}

void RetryLoops::arrives(ThreadId thread, const State& state, std::uint64_t events) {
  const std::uint64_t step = events == 0 ? 0 : events - 1;
  constexpr std::size_t kMostVisits = 24;
  const ThreadState& now = state.thread(thread);
  Loop& loop = loops_[thread];
  if (now.life != Life::kLive || !can_begin_round(state.pending(thread).op.kind)) return;
  // A loop that is one instruction judges itself.
  if (now.fruitless || now.second) return loop.visits.clear();
  auto name = std::find(names_.begin(), names_.end(), now);
  if (name == names_.end()) name = names_.insert(name, now);
  all_visits_.add(thread, static_cast<std::uint64_t>(name - names_.begin()), events);
  auto at = std::find_if(loop.visits.rbegin(), loop.visits.rend(),
                         [&](const Visit& visit) { return visit.where == now; });
  if (at == loop.visits.rend()) {
    if (loop.visits.size() == kMostVisits) loop.visits.clear();
    loop.visits.push_back({now, {}});
    loop.visits.back().round.start(step);
    return;
  }
  LockRound& round = at->round;
  if (!round.taken.empty()) return loop.visits.clear();
  loop.met = round.met.empty() ? 0 : round.met.front().object;
  loop.last_begin = round.begin;
  loop.stopped = !round.observed;
  loop.undecided = !loop.stopped;
  // Visits inside of the round are met again.
  loop.visits.erase(at.base(), loop.visits.end());
  loop.visits.back().round.start(round.last);
}

void RetryLoops::decide(const Trace& trace) {
  for (ThreadId t = 0; std::size_t{t} < loops_.size(); ++t) {
    Loop& loop = loops_[t];
    if (!loop.undecided) continue;
    loop.undecided = false;
    loop.stopped = all_visits_.repeats(t, loop.last_begin, trace);
  }
}

bool RetryLoops::stands_still(const State& state) const {
  constexpr int kMostSteps = 1000;
  State now = state;
  RetryLoops loops = *this;
  for (ThreadId t = 0; std::size_t{t} < loops_.size(); ++t) {
    if (!stopped(t)) continue;
    // It has to come back to where it is now, with what it reads now.
    loops.loops_[t] = {};
    loops.arrives(t, now, 0);
    for (int left = kMostSteps; !loops.stopped(t); --left) {
      if (left == 0) return false;
      const Pending next = now.pending(t);
      if (!next.enabled) return false;  // it gets there without a round in vain as well
      const Event event = now.run({t, 0});
      loops.ran(event, now, 0);
      if (now.thread(t).life != Life::kLive || !changed_nothing(t, event.label) ||
          loops.loops_[t].visits.empty())
        return false;
    }
  }
  return true;
}

}  // namespace mazur::model
