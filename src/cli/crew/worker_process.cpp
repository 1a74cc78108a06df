#include "cli/crew/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "cli/run/start_program.h"
#include "cli/usage.h"

namespace mazur {
namespace {

// The program must not see how many others there are: the descriptor has the same number in each,
// and those of the others are closed.
constexpr int kDescriptor = 100;

Request worker_request(const ProgramRun& run) {
  Request request = complete_request(run);
  request.worker = 1;
  request.minimise = 0;  // once, when all is over
  if (const char* slice = std::getenv(kSliceVariable))
    request.bounds.slice = std::strtoull(slice, nullptr, 10);
  return request;
}

}  // namespace

WorkerProcess::WorkerProcess(const ProgramRun& run, const Installation& installation)
    : run_(run), channel_(worker_request(run), ""), modules_(channel_, run_) {
  child_ = fork();
  if (child_ < 0) throw UsageError(fmt::format("no process could be made: {}.", strerror(errno)));
  if (child_ == 0)
    become_program(run_, installation, fcntl(channel_.descriptor(), F_DUPFD, kDescriptor));
}

WorkerProcess::~WorkerProcess() {
  if (reaped_) return;
  kill();
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void WorkerProcess::kill() const {
  if (!reaped_) ::kill(child_, SIGKILL);
}

bool WorkerProcess::was_killed() const {
  return WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL;
}

WorkerProcess::State WorkerProcess::wait() {
  if (!reaped_) {
    modules_.answer();
    if (channel_.wants_work()) return State::kWantsWork;
    rusage usage{};
    if (wait4(child_, &status_, WNOHANG, &usage) != child_) return State::kBusy;
    reaped_ = true;
    peak_rss_kb_ = static_cast<std::uint64_t>(usage.ru_maxrss);
  }
  return State::kEnded;
}

void WorkerProcess::offer(const Offer& work) {
  channel_->parts = 0;
  channel_->stop = 0;
  if (!channel_.offer(work)) throw UsageError("a piece of the work is too large to be handed on.");
}

ProgramEnd WorkerProcess::end(bool stopped) const {
  ProgramEnd end = read_end(channel_, run_, status_, peak_rss_kb_, stopped);
  end.modules = modules_.result();
  return end;
}

}  // namespace mazur
