#include "runtime/worker.h"

#include <linux/futex.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "check/exploration.h"
#include "explore/divisible.h"
#include "explore/registry.h"
#include "machine/native/engine/fiber.h"
#include "machine/native/loops/round_assumptions.h"
#include "machine/native/loops/seen_time.h"
#include "machine/native/loops/standard_lock.h"
#include "machine/native/memory/raw.h"
#include "protocol/request.h"
#include "protocol/slice.h"
#include "runtime/beginning.h"
#include "runtime/notes.h"
#include "runtime/remarks.h"
#include "runtime/reporter.h"

namespace mazur::native {
namespace {

char* work_area(Channel& channel) { return reinterpret_cast<char*>(&channel) + kWorkArea; }

// Gives the turn to mazur and waits until it is ours again.
Work ask_for_work(Channel& channel) {
  channel.work.store(Work::kWanted);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&channel.work), FUTEX_WAKE, 1);
  while (channel.work.load() == Work::kWanted) {
    const timespec patience{1, 0};
    raw_syscall(SYS_futex, reinterpret_cast<long>(&channel.work), FUTEX_WAIT,
                static_cast<long>(Work::kWanted), reinterpret_cast<long>(&patience));
  }
  return channel.work.load();
}

// Pauses when mazur wants pieces, if there can be some, and when what is explored does not count.
class WorkReporter final : public Reporter {
 public:
  WorkReporter(Channel& channel, ProgramMachine& machine, const Divisible& divisible,
               const Offer& offer)
      : Reporter(channel, machine), channel_(channel), divisible_(divisible), offer_(offer) {}
  bool pause() override {
    return is_outdated() ||
           (channel_.parts.load(std::memory_order_relaxed) != 0 && divisible_.can_divide());
  }
  // What of the whole program is done: the range that is told of it says nothing about a piece.
  void progress(const Tally& tally, const Explored&) override {
    Reporter::progress(tally, {0, divisible_.explored()});
  }
  // Whether the explorer has learned something that the other pieces do not know.
  bool is_outdated() const {
    return !offer_.piece.empty() && divisible_.lessons() != offer_.known.lessons;
  }

 private:
  Channel& channel_;
  const Divisible& divisible_;
  const Offer& offer_;
};

class Worker {
 public:
  Worker(Channel& channel, ProgramMachine& program)
      : channel_(channel), program_(program), start_(seconds()) {}

  SliceEnd explore(const Offer& offer);

 private:
  bool take_over(const Offer& offer) {
    if (!number_threads(offer.known.parents)) return false;
    if (offer.begins_again) begin_again(false);
    take_round_knowledge(offer.known);
    take_lock_knowledge(offer.known);
    return true;
  }
  SharedKnowledge knowledge() const {
    SharedKnowledge known{.parents = thread_parents()};
    add_round_knowledge(known);
    add_lock_knowledge(known);
    add_time_knowledge(known);
    return known;
  }

  // All that was noticed so far, and notes about what is new since the last piece.
  Remarks remarks() {
    Remarks remarks = remarks_in(channel_);
    const std::span examples(weak_.examples());
    if (noted_ < examples.size())
      remarks.notes.push_back(weak_note(program_, examples.subspan(noted_)));
    noted_ = examples.size();
    return remarks;
  }

  Channel& channel_;
  ProgramMachine& program_;
  const double start_;
  WeakOperations weak_;
  std::size_t noted_ = 0;  // of its examples
};

// Whether something is left because it was told to stop, or its time was over.
bool was_stopped(const Outcome& outcome, const Exploration& exploration, const Channel& channel) {
  if (outcome.paused || outcome.outdated || exploration.ended()) return false;
  if (outcome.verdict == Verdict::kUnsupported) return false;
  if (outcome.verdict == Verdict::kBug && !channel.request.bounds.keep_going) return false;
  return outcome.cuts.contains(Cut::kTimeLimit) || channel.stop.load() != 0;
}

SliceEnd Worker::explore(const Offer& offer) {
  const Request& request = channel_.request;
  SliceEnd end;
  ExplorerOptions options = explorer_options_of(request);
  options.executions = request.bounds.max_executions;
  const auto explorer = make_explorer(request.algorithm, options);
  Divisible* divisible = explorer == nullptr ? nullptr : explorer->divisible();
  if (divisible != nullptr) divisible->learn(offer.known.lessons);
  if (divisible == nullptr || !take_over(offer) ||
      (!offer.piece.empty() && !divisible->take(offer.piece))) {
    end.refused = true;
    return end;
  }
  channel_.log_size.store(0);
  for (auto& count : channel_.counts) count.store(0, std::memory_order_relaxed);
  program_.forget_reports();  // what is found in a piece does not depend on others
  WorkReporter reporter(channel_, program_, *divisible, offer);
  reporter.progress({}, {});
  Outcome outcome;
  if (!divisible->is_empty()) {
    Bounds bounds = request.bounds;
    bounds.max_executions = 0;  // the piece has an end
    if (bounds.time_limit > 0)
      bounds.time_limit = std::max(bounds.time_limit - (seconds() - start_), 1e-9);
    Exploration exploration(program_, *explorer, bounds, reporter, Exploration::Alone::kYes,
                            &weak_);
    outcome = exploration.run();
    // It was told to pause by the bound on a slice, and cannot.
    while (outcome.paused && !divisible->can_divide() && !reporter.is_outdated())
      outcome = exploration.run();
    end.stopped = was_stopped(outcome, exploration, channel_);
  }
  reporter.progress(outcome.tally, {});
  reporter.write_seen();
  end.verdict = reporter.finish() && outcome.verdict != Verdict::kUnsupported ? Verdict::kBug
                                                                              : outcome.verdict;
  end.reason = outcome.reason;
  end.cuts = outcome.cuts.bits();
  end.tally = outcome.tally;
  end.explored = divisible->explored();
  end.paused = outcome.paused;
  end.outdated = outcome.outdated || reporter.is_outdated();
  if (end.paused && !end.outdated)
    end.pieces = divisible->divide(std::max(channel_.parts.load(std::memory_order_relaxed),
                                            request.bounds.slice != 0 ? 3u : 1u));
  for (const SeenError& error : reporter.errors().all()) end.places.push_back(error.place);
  end.remarks = remarks();
  if (end.outdated) begin_again(false);
  end.known = knowledge();
  end.known.lessons = divisible->lessons();
  return end;
}

}  // namespace

void work_on_offers(Channel& channel, ProgramMachine& program) {
  begin_exploration(channel.request, program);
  Worker worker(channel, program);
  while (ask_for_work(channel) == Work::kOffered) {
    const std::uint64_t size = std::min(channel.work_size.load(), kWorkAreaSize);
    const auto offer = decode_offer({work_area(channel), static_cast<std::size_t>(size)});
    if (!offer) die("mazur has offered something that is no work");
    std::string bytes = encode(worker.explore(*offer));
    if (bytes.size() > kWorkAreaSize) die("what is left to explore does not fit into memory");
    std::memcpy(work_area(channel), bytes.data(), bytes.size());
    channel.work_size.store(bytes.size());
  }
}

}  // namespace mazur::native
