#include "check/minimise/candidate.h"

#include "base/hash.h"
#include "base/seconds.h"
#include "base/stop.h"
#include "check/failure_place.h"
#include "check/loop.h"

namespace mazur {

CandidateRun::CandidateRun(Machine& machine, std::uint64_t place, const MinimiseBudget& budget,
                           MemoryModel model)
    : machine_(machine), place_(place), budget_(budget), start_(monotonic_seconds()) {
  if (model != MemoryModel::kSc) graph_.emplace(model);
}

bool CandidateRun::spent() const {
  const double usable = 1 - reserved_;
  return broken_ || stop_wished() ||
         static_cast<double>(executions_) >= usable * static_cast<double>(budget_.executions) ||
         monotonic_seconds() - start_ >= usable * budget_.seconds;
}

bool CandidateRun::begin() {
  if (spent()) return false;
  ++executions_;
  trace_.clear();
  trace_name_ = 0;
  if (graph_) graph_->restart();
  current_ = kNoThread;
  old_values_ = preemptions_ = 0;
  machine_.follow(&trace_);
  machine_.know_looks(false);  // schedules show them
  machine_.restart();
  return true;
}

bool CandidateRun::current_enabled() {
  if (current_ == kNoThread) return false;
  const Pending* pending = machine_.frontier().find(current_);
  return pending != nullptr && pending->enabled;
}

ScheduleCost CandidateRun::cost() const {
  return {old_values_, preemptions_, static_cast<std::uint32_t>(trace_.size())};
}

bool CandidateRun::hopeless(bool preempts, bool reads_old) const {
  if (!best_) return false;
  const ScheduleCost next{old_values_ + (reads_old ? 1u : 0u), preemptions_ + (preempts ? 1u : 0u),
                          static_cast<std::uint32_t>(trace_.size() + 1)};
  return next >= best_->cost;
}

// A Mazurkiewicz trace is named by the sum over its events, each with its past.
void CandidateRun::name_last() {
  const auto e = static_cast<EventIndex>(trace_.size() - 1);
  std::uint64_t hash =
      mixed(trace_.place(e), std::uint64_t{trace_[e].thread} << 16 | trace_[e].choice);
  const auto clock = trace_.clock(e);
  for (std::size_t t = 0; t < clock.size(); ++t)
    if (clock[t] != 0) hash = mixed(mixed(hash, t), clock[t]);
  trace_name_ += mixed(hash, hash >> 32);
}

CandidateRun::Result CandidateRun::advance(Step step, std::uint32_t rank) {
  const Pending* pending = machine_.frontier().find(step.thread);
  if (pending == nullptr || !pending->enabled || step.choice >= pending->ways)
    return Result::kImpossible;
  if (step.thread != current_ && current_enabled()) ++preemptions_;
  if (step.ref != kNewest) ++old_values_;
  current_ = step.thread;
  const Operation operation = pending->op;
  trace_.append(machine_.run(step));
  if (!graph_) name_last();
  const Failure* failure = machine_.failure();
  const bool ran = failure == nullptr || !ends_exploration(failure->kind);
  if (looks_ && ran) {
    if (!graph_->add(trace_[static_cast<EventIndex>(trace_.size() - 1)], operation, rank))
      return Result::kImpossible;
    missed_others_ |= graph_->lost();
  }
  return judge();
}

CandidateRun::Result CandidateRun::judge() {
  const auto wanted = [this](const Failure& failure) {
    return failure_place(failure, machine_.frontier()) == place_;
  };
  if (const Failure* failure = machine_.failure()) {
    if (ends_exploration(failure->kind)) {
      broken_ = true;
      return Result::kOver;
    }
    if (wanted(*failure)) {
      found(*failure);
      return Result::kFound;
    }
    met_others_ = true;
    if (!tolerant_) return Result::kOver;
  }
  if (machine_.frontier().any_enabled()) {
    if (trace_.size() < budget_.steps) return Result::kOn;
    gave_up_ = true;
    return Result::kOver;
  }
  const auto failure = failure_at_end(machine_);
  if (!failure || !wanted(*failure)) return Result::kOver;
  found(*failure);
  return Result::kFound;
}

void CandidateRun::found(const Failure& failure) {
  if (best_ && best_->cost <= cost()) return;
  best_ = Best{{trace_.events().begin(), trace_.events().end()}, failure, cost()};
}

}  // namespace mazur
