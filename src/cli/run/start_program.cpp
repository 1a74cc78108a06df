#include "cli/run/start_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/usage.h"

namespace mazur {

void require_runtime(const Installation& installation) {
  const auto runtime = installation.runtime / kRuntimeName;
  if (access(runtime.c_str(), R_OK) != 0)
    throw UsageError(
        fmt::format("Mazur's runtime is missing: there is no file '{}'.", runtime.string()));
}

Request complete_request(const ProgramRun& run) {
  Request request = run.request;
  const char* path = run.place == nullptr ? std::getenv("LD_LIBRARY_PATH") : nullptr;
  std::snprintf(request.library_path, sizeof request.library_path, "%s",
                path != nullptr ? path : "\1");
  // For comparing: what is left out with --races=explore must make no difference.
  request.every_access = std::getenv(kEveryAccessVariable) != nullptr ? 1 : 0;
  return request;
}

namespace {

// What the runtime and the loader need in the environment.
void prepare_environment(const Installation& installation, int descriptor) {
  const char* old_path = std::getenv("LD_LIBRARY_PATH");
  std::string path = installation.runtime.string();
  if (old_path != nullptr && *old_path != '\0') path += std::string(":") + old_path;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  setenv("LD_BIND_NOW", "1", 1);
  unsetenv("MAZUR_LAUNCHER");
  setenv(kChannelVariable, std::to_string(descriptor).c_str(), 1);
}

// As few differences between two processes as possible in the address space.
void prepare_memory() {
  fix_addresses();
  // The place of libraries depends on the limit of the stack.
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) == 0) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 8u << 20);
    setrlimit(RLIMIT_STACK, &limit);
  }
}

}  // namespace

void become_program(const ProgramRun& run, const Installation& installation, int descriptor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGINT, SIG_IGN);  // mazur asks it to stop, through the channel
  signal(SIGTERM, SIG_DFL);
  prepare_memory();
  if (!run.directory.empty() && chdir(run.directory.c_str()) != 0) _exit(kNotStarted);
  if (const int null = open("/dev/null", O_RDONLY); null >= 0) dup2(null, STDIN_FILENO);
  if (run.output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  if (run.output >= 0) dup2(run.output, STDOUT_FILENO);
  if (run.place != nullptr) {
    run.place->become_program(run.arguments, descriptor);
    _exit(kNotStarted);
  }
  prepare_environment(installation, descriptor);
  const std::string program = run.program.string();
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& word : run.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  _exit(kNotStarted);
}

bool fix_addresses() {
  const int now = personality(0xffffffff);
  return now != -1 && ((now & ADDR_NO_RANDOMIZE) != 0 ||
                       personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) != -1);
}

}  // namespace mazur
