#include "cli/run/process.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "cli/build/compiler_path.h"
#include "cli/usage.h"

extern char** environ;

namespace mazur {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

// With a null pointer at its end.
std::vector<char*> environment_without(std::string_view variable) {
  std::vector<char*> result;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (const std::string_view text = *entry;
        !text.starts_with(variable) || text.substr(variable.size(), 1) != "=")
      result.push_back(*entry);
  result.push_back(nullptr);
  return result;
}

std::string not_started(const std::string& program, int error) {
  if (error == ENOENT)
    return fmt::format("the program '{}' was not found; please install it.", program);
  return fmt::format("could not start '{}': {}.", program, std::strerror(error));
}

}  // namespace

std::string shell_quoted(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%^";
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

void exec_program(const std::vector<std::string>& words) {
  std::string tried;
  const std::vector<std::string> command = beyond_shims(words, tried);
  if (!tried.empty()) setenv(kTriedCompilers, tried.c_str(), 1);
  execvp(command[0].c_str(), pointers(command).data());
  throw UsageError(not_started(command[0], errno));
}

bool run_all(const std::vector<std::vector<std::string>>& commands, const std::string& directory) {
  const std::size_t at_once = std::max(1u, std::thread::hardware_concurrency());
  std::size_t started = 0;
  std::size_t running = 0;
  bool good = true;
  int error = 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  while (running > 0 || (good && started < commands.size())) {
    if (good && started < commands.size() && running < at_once) {
      std::string tried;
      const std::vector<std::string> command = beyond_shims(commands[started], tried);
      const std::string entry = std::string(kTriedCompilers) + "=" + tried;
      std::vector<char*> environment = environment_without(kTriedCompilers);
      if (!tried.empty()) environment.insert(environment.begin(), const_cast<char*>(entry.c_str()));
      pid_t pid = 0;
      error = posix_spawnp(&pid, command[0].c_str(), &actions, nullptr, pointers(command).data(),
                           environment.data());
      if (error != 0) {
        good = false;
      } else {
        ++running;
      }
      ++started;
      continue;
    }
    int status = 0;
    if (wait(&status) > 0) {
      --running;
      if (status != 0) good = false;
    } else if (errno != EINTR) {
      break;
    }
  }
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw UsageError(not_started(commands[started - 1][0], error));
  return good;
}

std::optional<std::string> output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  pid_t pid = 0;
  const int error =
      posix_spawnp(&pid, command[0].c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t got; error == 0 && (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  if (error != 0 || waitpid(pid, &status, 0) != pid || status != 0) return std::nullopt;
  return text;
}

std::string find_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const auto candidate = std::filesystem::path(rest.substr(0, colon)) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  return {};
}

}  // namespace mazur
