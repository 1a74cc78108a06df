#include "cli/run/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "cli/run/interrupts.h"
#include "cli/run/loaded_modules.h"
#include "cli/run/process.h"
#include "cli/usage.h"

namespace mazur {
namespace {

constexpr int kNotStarted = 127;
constexpr int kGaveUp = 97;  // the runtime has printed why

void require_runtime(const Installation& installation) {
  const auto runtime = installation.runtime / kRuntimeName;
  if (access(runtime.c_str(), R_OK) != 0)
    throw UsageError(
        fmt::format("Mazur's runtime is missing: there is no file '{}'.", runtime.string()));
}

Request complete_request(const ProgramRun& run) {
  Request request = run.request;
  const char* path = std::getenv("LD_LIBRARY_PATH");
  std::snprintf(request.library_path, sizeof request.library_path, "%s",
                path != nullptr ? path : "\1");
  // For comparing: what is left out with --races=explore must make no difference.
  request.every_access = std::getenv(kEveryAccessVariable) != nullptr ? 1 : 0;
  return request;
}

// What the runtime and the loader need in the environment; as few differences between two machines
// as possible in the address space.
void prepare_environment(const ProgramRun& run, const Installation& installation, int descriptor) {
  const char* old_path = std::getenv("LD_LIBRARY_PATH");
  std::string path = installation.runtime.string();
  if (old_path != nullptr && *old_path != '\0') path += std::string(":") + old_path;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  setenv("LD_BIND_NOW", "1", 1);
  unsetenv("MAZUR_LAUNCHER");
  setenv(kChannelVariable, std::to_string(descriptor).c_str(), 1);
  fix_addresses();
  // The place of libraries depends on the limit of the stack.
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) == 0) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8u << 20);
    setrlimit(RLIMIT_STACK, &limit);
  }
  if (!run.directory.empty() && chdir(run.directory.c_str()) != 0) _exit(kNotStarted);
}

[[noreturn]] void become_program(const ProgramRun& run, const Installation& installation,
                                 int descriptor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);  // mazur asks it to stop, through the channel
  signal(SIGTERM, SIG_DFL);
  prepare_environment(run, installation, descriptor);
  if (const int null = open("/dev/null", O_RDONLY); null >= 0) dup2(null, STDIN_FILENO);
  if (run.output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  const std::string program = run.program.string();
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& word : run.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  _exit(kNotStarted);
}

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

// The program did not end when it should have: it computes for long in one step, say. What it has
// told so far counts.
class Patience {
 public:
  explicit Patience(double time_limit) : limit_(time_limit) {}

  bool is_over(Phase phase) {
    const double now =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (exploring_ < 0 && phase >= Phase::kExploring) exploring_ = now;
    const bool late = limit_ > 0 && exploring_ >= 0 && now - exploring_ > limit_;
    if (asked_ < 0 && (late || interrupts() > 0)) asked_ = now;
    return asked_ >= 0 && now - asked_ > 0.6;
  }

 private:
  double limit_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double exploring_ = -1, asked_ = -1;  // since when; negative: not yet
};

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
    throw UsageError(
        fmt::format("Mazur's runtime did not start in the program, which {}: build it with 'mazur "
                    "c++' and check it again.",
                    how_it_ended(status)));
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

bool fix_addresses() {
  const int now = personality(0xffffffff);
  return now != -1 && ((now & ADDR_NO_RANDOMIZE) != 0 ||
                       personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) != -1);
}

ProgramEnd run_program(const ProgramRun& run, const Installation& installation) {
  require_runtime(installation);
  ChannelBlock channel(complete_request(run), run.replay);
  channel.use_orders(run.used_orders, run.deep_calls);
  const InterruptGuard guard;
  const pid_t child = fork();
  if (child < 0) throw UsageError(fmt::format("no process could be made: {}.", strerror(errno)));
  if (child == 0) become_program(run, installation, channel.descriptor());

  LoadedModules modules(channel, run.program.string(), run.trust);
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
  end.modules = modules.result();
  end.order_sites = channel.order_sites();
  return end;
}

ProgramEnd read_end(const ChannelBlock& channel, const ProgramRun& run, int status,
                    std::uint64_t peak_rss_kb, bool stopped) {
  ProgramEnd end;
  end.tally = channel.tally();
  end.portfolio = channel.portfolio();
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
  for (Record& record : end.records)
    for (Module& module : record.modules)
      if (module.path.empty()) module.path = run.program.string();
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

std::vector<CheckedModule> list_modules(const std::filesystem::path& program,
                                        const Installation& installation) {
  ProgramRun run;
  run.program = program;
  run.request.list_modules = run.request.only_modules = 1;
  const ProgramEnd end = run_program(run, installation);
  if (end.modules.empty()) throw UsageError(end.reason + ".");
  return end.modules;
}

int debug_program(const ProgramRun& run, const Installation& installation) {
  require_runtime(installation);
  ProgramRun debugged = run;
  debugged.request.gdb = 1;
  const ChannelBlock channel(complete_request(debugged), debugged.replay);
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
