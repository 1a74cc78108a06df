#include "check/unrolling.h"

#include <algorithm>

#include "base/random_source.h"
#include "base/stop.h"
#include "trace/trace.h"

namespace mazur {

void Unrolling::learn(Machine& machine) {
  constexpr std::uint64_t kRuns = 40;
  constexpr std::size_t kSteps = 4000;
  constexpr std::uint64_t kEvents = 40'000;
  constexpr std::uint32_t kManyRounds = 100;
  std::unordered_set<std::uint64_t> racing;
  std::vector<std::uint64_t> places;  // of the events
  Trace trace;
  std::uint64_t events = 0;
  learning_ = true;
  for (std::uint64_t n = 0; n < kRuns && events < kEvents && !stop_wished(); ++n) {
    RandomSource random(n, /*stream=*/0);
    trace.clear();
    places.clear();
    machine.follow(&trace);
    machine.restart();
    restart();
    Step next;
    while (trace.size() < kSteps && machine.failure() == nullptr) {
      const Frontier& frontier = machine.frontier();
      const Pending* chosen = frontier.find(next.thread);
      if (chosen == nullptr || !chosen->enabled || random.below(4) == 0) {
        chosen = nullptr;
        unsigned seen = 0;
        for (const Pending& p : frontier.threads())
          if (p.enabled && random.below(++seen) == 0) chosen = &p;
        // In every other run threads are created first: they meet in more ways.
        for (const Pending& p : frontier.threads())
          if (n % 2 == 1 && p.enabled && p.op.kind == OpKind::kCreate) chosen = &p;
      }
      if (chosen == nullptr) break;
      next = {chosen->thread, static_cast<std::uint16_t>(random.below(chosen->ways))};
      places.push_back(place_of(*chosen));
      run(*chosen);
      trace.append(machine.run(next));
    }
    events += trace.size();
    // It may have no end.
    if (trace.size() == kSteps)
      for (const Thread& thread : threads_)
        for (const Visits& visits : thread.places)
          if (visits.count >= kManyRounds) racing_.insert(visits.place);
    for (EventIndex f = 0; f < trace.size(); ++f)
      for (const EventIndex e : trace.races(f)) racing.insert({places[e], places[f]});
    if (machine.failure() != nullptr && ends_exploration(machine.failure()->kind)) break;
  }
  learning_ = false;
  machine.follow(nullptr);
  for (const auto& [head, body] : bodies_)
    if (std::any_of(body.begin(), body.end(),
                    [&](std::uint64_t place) { return racing.contains(place); }))
      racing_.insert(head);
  bodies_.clear();
}

void Unrolling::restart() {
  for (Thread& thread : threads_) {
    thread.places.clear();
    thread.cut = false;
  }
}

void Unrolling::run(const Pending& next) {
  if (!counts(next.op.kind)) return;
  if (next.thread >= threads_.size()) threads_.resize(next.thread + std::size_t{1});
  auto& places = threads_[next.thread].places;
  const std::uint64_t place = place_of(next);
  for (std::size_t i = places.size(); i > 0; --i) {
    if (places[i - 1].place != place) continue;
    if (learning_)
      for (std::size_t k = i - 1; k < places.size(); ++k) bodies_[place].insert(places[k].place);
    places.resize(i);
    ++places.back().count;
    return;
  }
  places.push_back({place, 1});
}

std::uint32_t Unrolling::most(const Pending& p) const {
  if (p.loop_bound != 0) return bounds_.loops[p.loop_bound - 1];
  return all_ || racing_.contains(place_of(p)) ? bounds_.unroll : 0;
}

bool Unrolling::exceeded(const Pending& next) const {
  if (!counts(next.op.kind) || next.thread >= threads_.size()) return false;
  for (const Visits& visits : threads_[next.thread].places) {
    if (visits.place != place_of(next)) continue;
    const std::uint32_t bound = most(next);
    return bound != 0 && visits.count >= bound;
  }
  return false;
}

void Unrolling::note_cut(const Pending& p) {
  Thread& thread = threads_[p.thread];
  if (thread.cut) return;
  thread.cut = true;
  const auto known = std::find_if(cut_loops_.begin(), cut_loops_.end(), [&](const CutLoop& loop) {
    return loop.place == p.place && loop.pc == p.pc;
  });
  if (known != cut_loops_.end()) {
    ++known->times;
    return;
  }
  new_cuts_.emplace_back(cut_loops_.size(), p.thread);
  cut_loops_.push_back({.place = p.place, .pc = p.pc, .most = most(p), .times = 1});
}

void Unrolling::note_execution(const Trace& trace) {
  constexpr std::size_t kMost = 10;
  for (const auto& cut : new_cuts_) {
    const std::size_t index = cut.first;
    const ThreadId thread = cut.second;
    if (index >= kMost) break;
    CutLoop& loop = cut_loops_[index];
    std::size_t size = trace.size();
    const auto is_there = [&](const Event& e) {
      return e.thread == thread && e.label.pc == loop.pc;
    };
    while (size > 0 && !is_there(trace.events()[size - 1])) --size;
    for (const Event& event : trace.events().first(size)) loop.schedule.push_back(event.step());
  }
  new_cuts_.clear();
}

const Frontier& Unrolling::limit(const Frontier& frontier, bool& cut) {
  cut = false;
  limited_ = frontier;
  for (Pending& p : limited_.mutable_threads()) {
    if (!exceeded(p)) continue;
    cut = true;
    note_cut(p);
    p.enabled = false;
    p.ways = 1;
    p.op = Operation{.kind = OpKind::kNever};
  }
  return limited_;
}

}  // namespace mazur
