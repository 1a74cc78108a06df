#include "cli/dlang_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "check/loop.h"
#include "check/minimise/minimise.h"
#include "check/seen_errors.h"
#include "cli/run/interrupts.h"
#include "cli/usage.h"
#include "explore/explorer.h"
#include "machine/dlang/dlang_machine.h"
#include "machine/dlang/parser.h"
#include "protocol/request.h"
#include "report/findings/files.h"
#include "trace/access.h"
#include "trace/atomic_block/block.h"

namespace mazur {
namespace {

// The file as a report names it: relative to the current folder if below it.
std::string shown_name(const std::filesystem::path& file) {
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string() + "/";
  const std::string name = file.string();
  return name.starts_with(folder) ? name.substr(folder.size()) : name;
}

// Collects errors: the same error at the same place once, with a count.
class Witness final : public Watcher {
 public:
  Witness(const Request& request, Progress progress)
      : errors_(request.max_errors), line_(progress) {}

  void failed(const Trace& trace, const Frontier& frontier, const Failure& failure) override {
    errors_.add(trace, frontier, failure);
  }
  void ended(const Trace&, const Tally&, End) override { errors_.execution_ended(); }
  void portfolio(bool runs, const Tally&) override { errors_.portfolio(runs); }
  void started_over() override { errors_.started_over(/*kept=*/errors_.all().size()); }
  bool stop() override { return interrupts() > 0; }
  void progress(const Tally& tally, const Explored& explored) override {
    line_.update(tally, explored);
  }

  void clear_line() { line_.clear(); }
  const std::vector<SeenError>& seen() const { return errors_.all(); }

 private:
  SeenErrors errors_;
  ProgressLine line_;
};

// Makes findings of errors, by running their schedules again.
class Reporter {
 public:
  Reporter(const DlangSubject& subject, Machine& machine) : subject_(subject), machine_(machine) {}

  // `seconds`: for making one schedule shorter, and never more than a few for all; 0: they stay.
  std::vector<Finding> findings(const std::vector<SeenError>& seen, double seconds) {
    MinimisingTime minimising;
    std::vector<Finding> all;
    for (const SeenError& error : seen) {
      const MinimiseBudget budget{.seconds = minimising.for_one(seconds)};
      Record record = record_of(error);
      if (budget.seconds > 0 && !ends_exploration(error.failure.kind)) {
        const auto start = std::chrono::steady_clock::now();
        record =
            record_of(error, minimise(machine_, error.events, error.failure, error.place, budget));
        minimising.spend(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
      record.count = std::max<std::uint64_t>(error.count, 1);  // 0: not since it began again
      complete(record);
      Places places = locate(record);
      all.push_back({std::move(record), std::move(places), {}});
    }
    return merge_same(std::move(all));
  }

 private:
  // Runs the schedule again, for its preemptions and the threads at its end.
  void complete(Record& record) {
    Trace trace;
    run_again(machine_, record, trace);
    machine_.follow(nullptr);
    for (std::size_t n = 1; n <= subject_.program.processes.size(); ++n) {
      ThreadState state;
      state.thread = static_cast<ThreadId>(n);
      const Pending* pending = machine_.frontier().find(state.thread);
      state.ended = pending == nullptr;
      if (pending != nullptr) {
        state.enabled = pending->enabled;
        state.op = pending->op;
        // The table of blocks is not there where the record is read.
        if (state.op.kind == OpKind::kAtomicBlock) forget_accesses(state.op);
        state.holder = machine_.holder(pending->op);
        state.stack = {pending->pc};
      }
      record.threads.push_back(std::move(state));
    }
  }

  Places locate(const Record& r) const {
    const std::string file = shown_name(subject_.file);
    Places places;
    const auto code = [&](std::uint64_t pc) {
      if (pc == 0 || places.code.contains(pc)) return;
      const std::uint32_t line = dlang::from_pc(pc).line;
      places.code[pc] = {Frame{.function = "process",
                               .file = file,
                               .line = line,
                               .text = subject_.program.line(line),
                               .user = true}};
    };
    const auto object = [&](ObjectId id) {
      if (id < dlang::kFirstElement || places.objects.contains(id)) return;
      if (std::string name = subject_.program.object_name(id); !name.empty())
        places.objects[id] = std::move(name);
    };
    for (const std::uint64_t pc : r.stack) code(pc);
    for (const Event& event : r.events) {
      code(event.label.pc);
      for (const Access& access : accesses(event.label)) object(access.object);
    }
    for (const ThreadState& thread : r.threads) {
      object(thread.op.object);
      for (const std::uint64_t pc : thread.stack) code(pc);
    }
    return places;
  }

  const DlangSubject& subject_;
  Machine& machine_;
};

Result result_of(Outcome outcome, const std::string& algorithm, double seconds) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return {.algorithm = algorithm,
          .verdict = outcome.verdict,
          .reason = std::move(outcome.reason),
          .statistics = {},
          .cuts = outcome.cuts,
          .tally = outcome.tally,
          .portfolio = outcome.portfolio,
          .seconds = seconds,
          .explored = outcome.explored,
          .peak_rss_kb = static_cast<std::uint64_t>(usage.ru_maxrss),
          .findings = {}};
}

}  // namespace

bool is_dlang(const std::filesystem::path& file) { return file.extension() == ".dlang"; }

DlangSubject load_dlang(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw UsageError(fmt::format("there is no file '{}'.", file.string()));
  const auto text = read_regular_file(file);
  if (!text) throw UsageError(fmt::format("the file '{}' cannot be read.", file.string()));
  try {
    return {std::filesystem::absolute(file).lexically_normal(), dlang::parse(*text)};
  } catch (const dlang::SyntaxError& problem) {
    throw UsageError(fmt::format("{}:{}:{}: {}.", file.string(), problem.at().line,
                                 problem.at().column, problem.what()));
  }
}

Result check_dlang(const DlangSubject& subject, const Request& request, Progress progress) {
  const auto explorer = make_explorer(request.algorithm, explorer_options_of(request));
  if (explorer == nullptr)
    throw UsageError(fmt::format("there is no algorithm '{}'.", request.algorithm));
  const InterruptGuard guard;
  const StopWatch watch(request.bounds.time_limit);
  dlang::DlangMachine machine(subject.program);
  Witness witness(request, progress);
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = explore(machine, *explorer, request.bounds, witness);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  witness.clear_line();
  Result result = result_of(outcome, request.algorithm, took.count());
  result.only_states = explorer->needs().states;
  if (result.only_states) result.algorithm += " with stored states";
  if (request.explorer.statistics) result.statistics = explorer->statistics();
  result.findings = Reporter(subject, machine).findings(witness.seen(), request.minimise);
  return result;
}

Result replay_dlang(const DlangSubject& subject, std::span<const Event> schedule,
                    const Request& request) {
  dlang::DlangMachine machine(subject.program);
  Witness witness(request, Progress::kNone);
  Trace trace;
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome = replay(machine, schedule, request.bounds, trace, witness);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  ++outcome.tally.complete;
  outcome.tally.events = trace.size();
  Result result = result_of(outcome, "replay", took.count());
  result.findings = Reporter(subject, machine).findings(witness.seen(), 0);
  return result;
}

}  // namespace mazur
