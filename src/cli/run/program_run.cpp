#include "cli/run/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "cli/run/interrupts.h"
#include "cli/run/loaded_modules.h"
#include "cli/run/patience.h"
#include "cli/run/process.h"
#include "cli/run/start_program.h"
#include "cli/usage.h"

namespace mazur {
namespace {

// Somebody else has ended it, or there is too little memory.
bool was_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

// It had not even started then.
struct KilledTooSoon : UsageError {
  using UsageError::UsageError;
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = sigabbrev_np(signal);
    return fmt::format(
        "was killed by {}{}",
        name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal),
        signal == SIGKILL ? " (perhaps for want of memory)" : "");
  }
  return fmt::format("ended with exit status {}", WEXITSTATUS(status));
}

// The program was ended because nobody wanted to wait for it any longer.
void explain_stop(ProgramEnd& end) {
  const bool found = std::any_of(end.records.begin(), end.records.end(), [](const Record& record) {
    return !ends_exploration(record.kind);
  });
  if (interrupts() == 0) end.cuts.add(Cut::kTimeLimit);
  end.verdict = found ? Verdict::kBug : Verdict::kIncomplete;
  if (!found) end.reason = interrupts() > 0 ? "it was interrupted" : reason(end.cuts);
}

// The program has ended without saying how the exploration went.
void explain_death(const ChannelBlock& channel, int status, ProgramEnd& end) {
  if (channel.phase() == Phase::kNotStarted) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == kGaveUp)
      throw UsageError("Mazur's runtime did not start in the program; its message above says why.");
    if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted)
      throw UsageError("the program could not be started: a library of it is missing, perhaps.");
    const std::string why = fmt::format(
        "Mazur's runtime did not start in the program, which {}: build it with 'mazur "
        "c++' and check it again.",
        how_it_ended(status));
    if (was_killed(status)) throw KilledTooSoon(why);
    throw UsageError(why);
  }
  if (channel.minimising() && !end.records.empty()) {
    // A schedule that was only tried to make the failing one shorter: the error stands.
    end.verdict = Verdict::kBug;
    return;
  }
  const std::uint64_t execution = end.tally.total() + 1;
  end.verdict = Verdict::kUnsupported;
  end.reason = WIFEXITED(status) && WEXITSTATUS(status) == kGaveUp
                   ? "Mazur's runtime gave up; its message above says why"
                   : fmt::format("the program {} in execution {}, and Mazur's runtime with it",
                                 how_it_ended(status), execution);
  Record record;
  record.kind = FailureKind::kUnsupported;
  record.message = end.reason;
  record.execution = execution;
  record.events = channel.schedule();
  auto granules = channel.granules();
  record.every_access = !granules.has_value();
  if (granules) record.granules = *std::move(granules);
  if (record.events.empty()) return;
  end.records.push_back(std::move(record));
}

}  // namespace

ProgramEnd run_program(const ProgramRun& run, const Installation& installation) {
  require_runtime(installation);
  ChannelBlock channel(complete_request(run), run.replay);
  channel.use_orders(run.used_orders, run.deep_calls);
  const InterruptGuard guard;
  const pid_t child = fork();
  if (child < 0) throw UsageError(fmt::format("no process could be made: {}.", strerror(errno)));
  if (child == 0) {
    // Other programs that are started meanwhile must not have it, so it was to be closed.
    fcntl(channel.descriptor(), F_SETFD, 0);
    become_program(run, installation, channel.descriptor());
  }

  LoadedModules modules(channel, run);
  Patience patience(run.request.bounds.time_limit);
  {
    ProgressLine progress(run.progress);
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
    pollfd ended{descriptor, POLLIN, 0};
    for (;;) {
      const int got = poll(&ended, 1, modules.answer() ? 100 : 0);
      if (got > 0 || (got < 0 && errno != EINTR)) break;
      if (interrupts() == 1) channel->stop = 1;
      if (patience.is_over(channel.phase()) || interrupts() > 1) kill(child, SIGKILL);
      progress.update(channel.tally(), channel.explored(), channel.minimising());
    }
    close(descriptor);
  }
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) continue;

  ProgramEnd end;
  if (run.request.only_modules == 0 || !modules.answered())
    end = read_end(channel, run, status, static_cast<std::uint64_t>(usage.ru_maxrss),
                   interrupts() > 0 || patience.is_over(channel.phase()));
  end.was_killed = was_killed(status);
  end.modules = modules.result();
  end.order_sites = channel.order_sites();
  return end;
}

ProgramEnd read_end(const ChannelBlock& channel, const ProgramRun& run, int status,
                    std::uint64_t peak_rss_kb, bool stopped) {
  ProgramEnd end;
  end.tally = channel.tally();
  end.portfolio = channel.portfolio();
  end.has_threads = channel.has_threads();
  end.has_unexplored_wakeups = channel.has_unexplored_wakeups();
  end.has_sequential_objects = channel.has_sequential_objects();
  const Request& request = run.request;
  for (std::uint32_t i = 0; i < request.bounds.loop_count; ++i)
    if (!channel.has_met_loop_line(i))
      end.unmet_loop_lines.push_back(
          fmt::format("{}:{}", request.loop_lines[i].file, request.loop_lines[i].line));
  end.seconds = channel.seconds();
  end.explored = channel.explored();
  end.peak_rss_kb = peak_rss_kb;
  end.records = channel.records();
  for (Record& record : end.records) name_modules(record, run);
  const auto notes =
      std::stable_partition(end.records.begin(), end.records.end(),
                            [](const Record& record) { return record.kind != FailureKind::kNone; });
  end.notes.assign(std::move_iterator(notes), std::move_iterator(end.records.end()));
  end.records.erase(notes, end.records.end());
  if (channel.phase() == Phase::kDone) {
    end.statistics = channel.statistics();
    end.cuts = channel.cuts();
    if (const auto verdict = channel.verdict()) {
      end.verdict = *verdict;
      end.reason = channel.reason();
    } else {
      end.verdict = Verdict::kUnsupported;
      end.reason = "the program wrote into the memory that it shares with Mazur";
    }
  } else if (stopped) {
    explain_stop(end);
  } else {
    explain_death(channel, status, end);
  }
  return end;
}

void name_modules(Record& record, const ProgramRun& run) {
  for (Module& module : record.modules)
    module.path = module.path.empty() ? run.program.string() : real_path(run, module.path);
}

void forget_paths(Record& record, const ProgramRun& run) {
  for (Module& module : record.modules)
    if (module.path == run.program.string())
      module.path.clear();
    else if (run.place != nullptr)
      module.path = run.place->listed(module.path);
}

std::vector<CheckedModule> list_modules(const ProgramRun& run, const Installation& installation) {
  ProgramRun only = run;
  only.request.list_modules = only.request.only_modules = 1;
  constexpr int kMostTries = 5;
  for (int tries = 1;; ++tries) {
    const bool is_last = tries == kMostTries || interrupts() > 0;
    try {
      ProgramEnd end = run_program(only, installation);
      if (!end.modules.empty()) return std::move(end.modules);
      if (!end.was_killed || is_last) throw UsageError(end.reason + ".");
    } catch (const KilledTooSoon&) {
      if (is_last) throw;
    }
  }
}

int debug_program(const ProgramRun& run, const Installation& installation) {
  require_runtime(installation);
  ProgramRun debugged = run;
  debugged.request.gdb = 1;
  const ChannelBlock channel(complete_request(debugged), debugged.replay);
  fcntl(channel.descriptor(), F_SETFD, 0);
  // gdb passes its environment on, and would itself run with our runtime's folder first and bind
  // early: set those for the program only.
  const char* old_path = std::getenv("LD_LIBRARY_PATH");
  std::string path = installation.runtime.string();
  if (old_path != nullptr && *old_path != '\0') path += std::string(":") + old_path;
  // The trace file says where it runs: gdb must not take commands from there.
  std::vector<std::string> command{"gdb", "-q", "-iex", "set auto-load local-gdbinit off"};
  const auto add = [&command](const std::string& line) {
    command.insert(command.end(), {"-ex", line});
  };
  add("set environment LD_LIBRARY_PATH " + path);
  add("set environment LD_BIND_NOW 1");
  add(fmt::format("set environment {} {}", kChannelVariable, channel.descriptor()));
  add("unset environment LINES");
  add("unset environment COLUMNS");
  add("set startup-with-shell off");
  add("set disable-randomization on");
  // The runtime finds out about written pages by faults and passes real crashes on by SIGTRAP.
  add("handle SIGSEGV nostop noprint pass");
  add("handle SIGALRM nostop noprint pass");
  add("run");
  command.insert(command.end(), {"--args", run.program.string()});
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  signal(SIGINT, [](int) {});  // Ctrl-C is for gdb; a handler is not inherited, unlike SIG_IGN
  const bool good = run_all({command}, run.directory);
  signal(SIGINT, SIG_DFL);
  return good ? 0 : 2;
}

}  // namespace mazur
