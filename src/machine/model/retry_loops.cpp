#include "machine/model/retry_loops.h"

#include <algorithm>

#include "base/hash.h"
#include "trace/blocking/look.h"

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

RetryLoops::RetryLoops(const Program& program, bool heed_calls)
    : program_(&program),
      heed_calls_(heed_calls),
      owners_(program.of(ObjectClass::kVariable).size(), kNoThread) {
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

bool RetryLoops::stands_in_call(ThreadId thread, const State& state) const {
  const ThreadState& now = state.thread(thread);
  const auto& code = program_->threads[thread].code;
  return heed_calls_ && now.life == Life::kLive && now.pc < code.size() && is_in_call(code[now.pc]);
}

void RetryLoops::note_call(const Event& event, const State& state) {
  Loop& own = loops_[event.thread];
  const Label& did = event.label;
  const auto note = [&](std::vector<ObjectId>& list, const std::vector<ObjectId>& other,
                        ObjectId mutex) {
    if (std::find(list.begin(), list.end(), mutex) != list.end()) return;
    list.push_back(mutex);
    failed_ = failed_ || std::find(other.begin(), other.end(), mutex) != other.end();
  };
  if (own.in_call) {
    note(inside_, outside_, did.object);
    own.refused = own.refused || !acquired(did);
  } else if (did.kind == OpKind::kTryLock || did.kind == OpKind::kAtomicBlock ||
             is_life(did.kind)) {
    for (const Access& access : accesses(did))
      if (access.space == Space::kMutex) note(outside_, inside_, access.object);
  }
  own.in_call = stands_in_call(event.thread, state);
  if (own.in_call || state.thread(event.thread).life != Life::kLive) return;
  const OpKind next = state.pending(event.thread).op.kind;
  if (next != OpKind::kUnlock && next != OpKind::kYield) own.refused = false;
}

void RetryLoops::restart(const State& state) {
  loops_.assign(state.threads(), {});
  all_visits_.clear();
  names_.clear();
  for (ThreadId t = 0; t < state.threads(); ++t) {
    loops_[t].in_call = stands_in_call(t, state);
    arrives(t, state, 0);
  }
}

void RetryLoops::ran(const Event& event, const State& state, std::uint64_t step) {
  const Label& did = event.label;
  Loop& own = loops_[event.thread];
  own.stopped = own.undecided = false;
  if (heed_calls_) note_call(event, state);
  if (did.kind == OpKind::kCreate) {
    loops_[child_of(did)].in_call = stands_in_call(child_of(did), state);
    arrives(child_of(did), state, step + 1);
  }
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
  if (did.kind == OpKind::kLoad && own.look != 0 &&
      state.thread(event.thread).life == Life::kAssumedAway)
    note_look(own.look, did.read, Look::kAssumed);
  if (did.kind != OpKind::kYield)
    for (Visit& visit : own.visits)
      if (++visit.events == 1) visit.read = did.read;
  arrives(event.thread, state, step + 1);
}

std::uint64_t RetryLoops::name_of(ThreadId thread, const State& state) const {
  const Operation op = state.pending(thread).op;
  if (op.kind != OpKind::kLoad || op.size != 8 || is_table_key(op.object) || op.value != 0 ||
      op.order > __ATOMIC_SEQ_CST)
    return 0;
  return name_look(mixed(state.hash_of(thread), thread));
}

void RetryLoops::arrives(ThreadId thread, const State& state, std::uint64_t events) {
  const std::uint64_t step = events == 0 ? 0 : events - 1;
  constexpr std::size_t kMostVisits = 24;
  const ThreadState& now = state.thread(thread);
  Loop& loop = loops_[thread];
  loop.look = 0;
  if (now.life != Life::kLive || !can_begin_round(state.pending(thread).op.kind)) return;
  if (loop.in_call && loop.refused && state.pending(thread).op.kind == OpKind::kLock) {
    loop.met = state.pending(thread).op.object;
    loop.stopped = true;
    return;
  }
  // A loop that is one instruction judges itself.
  if (now.fruitless || now.second) return loop.visits.clear();
  loop.look = name_of(thread, state);
  auto name = std::find(names_.begin(), names_.end(), now);
  if (name == names_.end()) name = names_.insert(name, now);
  all_visits_.add(thread, static_cast<std::uint64_t>(name - names_.begin()), events);
  auto at = std::find_if(loop.visits.rbegin(), loop.visits.rend(),
                         [&](const Visit& visit) { return visit.where == now; });
  if (at == loop.visits.rend()) {
    if (loop.visits.size() == kMostVisits) loop.visits.clear();
    loop.visits.push_back({.where = now, .round = {}, .look = loop.look});
    loop.visits.back().round.start(step);
    return;
  }
  LockRound& round = at->round;
  if (at->look != 0 && at->events == 1) note_look(at->look, at->read, Look::kInVain);
  if (!round.taken.empty()) return loop.visits.clear();
  loop.met = round.met.empty() ? 0 : round.met.front().object;
  loop.last_begin = round.begin;
  loop.stopped = !round.observed;
  loop.undecided = !loop.stopped;
  // Visits inside of the round are met again.
  loop.visits.erase(at.base(), loop.visits.end());
  loop.visits.back().round.start(round.last);
  loop.visits.back().events = 0;
}

void RetryLoops::decide(const Trace& trace) {
  for (ThreadId t = 0; std::size_t{t} < loops_.size(); ++t) {
    Loop& loop = loops_[t];
    if (!loop.undecided) continue;
    loop.undecided = false;
    loop.stopped = all_visits_.repeats(t, loop.last_begin, trace);
  }
}

bool RetryLoops::stands_still(const State& state, std::vector<ThreadId>& blocked) const {
  constexpr int kMostSteps = 1000;
  State now = state;
  RetryLoops loops = *this;
  for (ThreadId t = 0; std::size_t{t} < loops_.size(); ++t) {
    if (!stopped(t)) continue;
    Loop& loop = loops.loops_[t];
    // Where a call has failed, it locks next. It tries again until it waits there.
    const bool in_call = loop.in_call && loop.refused;
    if (in_call && !now.pending(t).enabled) {
      blocked.push_back(t);
      continue;
    }
    // It has to come back to where it is now, with what it reads now.
    loop = {};
    loop.in_call = in_call;
    loops.arrives(t, now, 0);
    for (int left = kMostSteps; !loop.stopped; --left) {
      if (left == 0) return false;
      const Pending next = now.pending(t);
      if (!next.enabled) return false;  // it gets there without a round in vain as well
      const Event event = now.run({t, 0});
      loops.ran(event, now, 0);
      if (now.thread(t).life != Life::kLive) return false;
      if (in_call) {
        if (!loop.in_call && !loop.refused) return false;
        if (!loop.stopped) continue;
        loop.stopped = loop.refused = !now.pending(t).enabled;
        if (loop.stopped) blocked.push_back(t);
        continue;
      }
      // A call that fails now, it could have come to without a round in vain.
      if (!changed_nothing(t, event.label) || loop.visits.empty() || loop.refused) return false;
    }
  }
  return true;
}

}  // namespace mazur::model
