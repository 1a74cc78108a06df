// Linked into a fuzzing target: nothing that it reads may start a program.
#include <spawn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace {
[[noreturn]] void command(const char* what) {
  std::fprintf(stderr, "a command was run: %s\n", what);
  std::abort();
}
}  // namespace

extern "C" {
int execve(const char* path, char* const*, char* const*) noexcept { command(path); }
int execv(const char* path, char* const*) noexcept { command(path); }
int execvp(const char* path, char* const*) noexcept { command(path); }
pid_t fork() noexcept { command("fork"); }
int system(const char* line) { command(line); }
int posix_spawn(pid_t*, const char* path, const posix_spawn_file_actions_t*,
                const posix_spawnattr_t*, char* const*, char* const*) {
  command(path);
}
int posix_spawnp(pid_t*, const char* path, const posix_spawn_file_actions_t*,
                 const posix_spawnattr_t*, char* const*, char* const*) {
  command(path);
}
}
