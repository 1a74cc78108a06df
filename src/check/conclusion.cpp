#include "check/conclusion.h"

#include <utility>

#include "base/stop.h"
#include "check/describe.h"

namespace mazur {

bool Conclusion::note(const Failure& failure) {
  if (failure.kind == FailureKind::kUnsupported) {
    if (is_outdated()) return true;
    watcher_.failed(trace_, machine_.frontier(), failure);
    outcome.verdict = Verdict::kUnsupported;
    outcome.reason = failure.message.text;
    over_ = true;
    return true;
  }
  if (failure.kind == FailureKind::kStepLimit) {
    watcher_.failed(trace_, machine_.frontier(), failure);
    over_ = true;
    stopped_by(Cut::kStepLimit);
    return true;
  }
  report(failure);
  if (over_) {
    outcome.tally.events += trace_.size();
    ++outcome.tally.complete;
    ++outcome.tally.failures;
  }
  return over_;
}

void Conclusion::report(const Failure& failure) {
  failed_ = true;
  found_bug_ = true;
  outcome.verdict = Verdict::kBug;
  watcher_.failed(trace_, machine_.frontier(), failure);
  if (!bounds_.keep_going) over_ = true;
}

void Conclusion::diverged(const Event& now, const Event& then, EventIndex at) {
  unsupported(describe_divergence(now, then, at), now.thread, now.label.pc);
}

void Conclusion::unsupported(Message message, ThreadId thread, std::uint64_t pc) {
  if (is_outdated()) return;
  Failure failure;
  failure.kind = FailureKind::kUnsupported;
  failure.thread = thread;
  failure.message = std::move(message);
  if (pc != 0) failure.stack.push_back(pc);
  watcher_.failed(trace_, machine_.frontier(), failure);
  outcome.verdict = Verdict::kUnsupported;
  outcome.reason = failure.message.text;
  over_ = true;
}

void Conclusion::note_cuts(ScheduleBound reached) {
  if (reached == ScheduleBound::kContexts) outcome.cuts.add(Cut::kContexts);
  if (reached == ScheduleBound::kPreemptions) outcome.cuts.add(Cut::kPreemptions);
  if (reached == ScheduleBound::kDelays) outcome.cuts.add(Cut::kDelays);
  if (machine_.sampled()) outcome.cuts.add(Cut::kNondet);
  if (machine_.skips_timeouts()) outcome.cuts.add(Cut::kTimeouts);
  if (machine_.leaves_out_time()) outcome.cuts.add(Cut::kTime);
}

void Conclusion::all_explored(const Explorer::Standing& standing) {
  outcome.finished = standing.exhaustive() && outcome.cuts.empty();
  finish(outcome.finished && standing.proven, why_no_proof(standing));
  // Nobody knows how much lies behind a cut.
  if (outcome.cuts.empty()) outcome.explored = {1, 1};
}

std::string Conclusion::why_no_proof(const Explorer::Standing& standing) const {
  if (!outcome.cuts.empty()) return reason(outcome.cuts);
  return standing.exhaustive() ? kUnproven : standing.doubt;
}

void Conclusion::stopped_midway() {
  if (!watcher_.stop()) return stopped_by(Cut::kTimeLimit);
  stopped("it was interrupted");
}

void Conclusion::stopped_by(Cut cut) {
  outcome.cuts.add(cut);
  stopped(reason(outcome.cuts));
}

void Conclusion::finish(bool proof, std::string why_not) {
  if (found_bug_) return;
  outcome.verdict = proof ? Verdict::kVerified : Verdict::kIncomplete;
  if (!proof) outcome.reason = std::move(why_not);
}

bool Conclusion::note_portfolio(const Outcome& found) {
  if (found.verdict == Verdict::kBug) {
    found_bug_ = true;
    outcome.verdict = Verdict::kBug;
    return bounds_.keep_going;
  }
  if (found.verdict == Verdict::kUnsupported) {
    outcome.verdict = Verdict::kUnsupported;
    outcome.reason = found.reason;
    return false;
  }
  if (found.cuts.contains(Cut::kStepLimit)) {
    stopped_by(Cut::kStepLimit);
    return false;
  }
  if (is_outdated()) return false;
  if (!stop_wished() && !watcher_.stop()) return true;
  stopped_midway();
  return false;
}

}  // namespace mazur
