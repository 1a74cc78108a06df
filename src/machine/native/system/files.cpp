// Descriptors: what an execution opens is closed at its end, and what it closes or redirects is put
// back.
//
// Enabled, does, depends on, reversible: no events. Files are the outside world; an execution's
// descriptors are only tidied up. If threads communicate through files, Mazur does not see it.
#include "machine/native/system/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdarg>

#include "machine/native/engine/per_execution.h"
#include "machine/native/library/failed_with.h"
#include "machine/native/library/library_call.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/system/failed_checks.h"
#include "machine/native/system/input.h"

namespace mazur::native {
namespace {

constexpr int kLastOfProgram = 899;  // descriptors above belong to the runtime
constexpr int kSavedCopies = 900;    // where descriptors are kept that the program changes
constexpr int kMostSaved = 16;

int first_free = 3;  // at the snapshot: what is below was open before main
bool opened = false;

struct Saved {
  int descriptor, copy;
};
Saved saved[kMostSaved];
int saved_count = 0;

const PerExecution find_first_free(nullptr, [] {
  first_free = 3;
  while (first_free < kLastOfProgram && raw_syscall(SYS_fcntl, first_free, F_GETFD) >= 0)
    ++first_free;
});

// The program is about to close or redirect a descriptor: if executions begin with it, keep a copy.
void preserve(int descriptor) {
  if (!in_execution() || descriptor < 0 || descriptor >= first_free) return;
  for (int i = 0; i < saved_count; ++i)
    if (saved[i].descriptor == descriptor) return;
  const long copy = raw_syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, kSavedCopies);
  if (copy < 0) return;
  if (saved_count == kMostSaved) die("the program redirects more than 16 descriptors");
  saved[saved_count++] = {descriptor, static_cast<int>(copy)};
}

void tell_path(const char* function, const char* path, const void* pc) {
  LibraryCall call(function, pc);
  call.touches([&] { call.reads(path, string_size(path)); });
}

// Notes that the execution opens something, and gives the function that does it.
template <typename F>
F* opening(const char* name) {
  opened |= runtime.running;
  return reinterpret_cast<F*>(real_symbol(name));
}

// Whether the variable arguments of open() have a mode.
bool has_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

int open_at(int directory, const char* path, int flags, unsigned mode, const void* pc) {
  tell_path("open", path, pc);
  opened |= runtime.running;
  if (in_execution()) refuse_blocking_file(directory, path, pc);
  return static_cast<int>(checked(
      raw_syscall(SYS_openat, directory, reinterpret_cast<long>(opened_for(path)), flags, mode)));
}

int stat_at(int directory, const char* path, void* out, std::size_t size, int flags,
            const void* pc) {
  LibraryCall call("stat", pc);
  call.touches([&] {
    call.reads(path, string_size(path));
    call.writes(out, size);
  });
  touch_for_kernel(out, size);
  return static_cast<int>(
      checked(raw_syscall(SYS_newfstatat, directory, reinterpret_cast<long>(path),
                          reinterpret_cast<long>(out), flags)));
}

}  // namespace

void close_opened_files() {
  if (opened) {
    opened = false;
    if (raw_syscall(SYS_close_range, first_free, kLastOfProgram, 0) < 0)
      for (int descriptor = first_free; descriptor <= kLastOfProgram; ++descriptor)
        raw_syscall(SYS_close, descriptor);
  }
  while (saved_count > 0) {
    const Saved& last = saved[--saved_count];
    raw_syscall(SYS_dup2, last.copy, last.descriptor);
    raw_syscall(SYS_close, last.copy);
  }
}

}  // namespace mazur::native

using namespace mazur::native;

namespace {

// The mode among the variable arguments of open(), or 0.
unsigned mode_of(int flags, std::va_list arguments) {
  return has_mode(flags) ? va_arg(arguments, unsigned) : 0;
}

}  // namespace

#define MAZUR_OPEN(name, directory, parameters)                 \
  MAZUR_EXPORT int name parameters {                            \
    std::va_list arguments;                                     \
    va_start(arguments, flags);                                 \
    const unsigned mode = mode_of(flags, arguments);            \
    va_end(arguments);                                          \
    return open_at(directory, path, flags, mode, MAZUR_CALLER); \
  }
MAZUR_OPEN(open, AT_FDCWD, (const char* path, int flags, ...))
MAZUR_OPEN(open64, AT_FDCWD, (const char* path, int flags, ...))
MAZUR_OPEN(openat, directory, (int directory, const char* path, int flags, ...))
MAZUR_OPEN(openat64, directory, (int directory, const char* path, int flags, ...))
#undef MAZUR_OPEN

MAZUR_EXPORT int creat(const char* path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, MAZUR_CALLER);
}

MAZUR_EXPORT int creat64(const char* path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode, MAZUR_CALLER);
}

MAZUR_EXPORT FILE* fopen(const char* path, const char* mode) {
  tell_path("fopen", path, MAZUR_CALLER);
  if (in_execution()) refuse_blocking_file(AT_FDCWD, path, MAZUR_CALLER);
  return opening<decltype(fopen)>("fopen")(opened_for(path), mode);
}

MAZUR_EXPORT FILE* fopen64(const char* path, const char* mode) {
  tell_path("fopen", path, MAZUR_CALLER);
  if (in_execution()) refuse_blocking_file(AT_FDCWD, path, MAZUR_CALLER);
  return opening<decltype(fopen)>("fopen64")(opened_for(path), mode);
}

MAZUR_EXPORT FILE* freopen(const char* path, const char* mode, FILE* stream) {
  preserve(fileno(stream));
  return opening<decltype(freopen)>("freopen")(path, mode, stream);
}

MAZUR_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  preserve(fileno(stream));
  return opening<decltype(freopen)>("freopen64")(path, mode, stream);
}

// libc reads from the descriptor of a stream without asking us, so this is the place to look at it.
MAZUR_EXPORT FILE* fdopen(int descriptor, const char* mode) noexcept {
  if (in_execution() && mode[0] == 'r' && may_block(descriptor))
    unsupported("fdopen() of a pipe, terminal or socket", MAZUR_CALLER);
  return opening<decltype(fdopen)>("fdopen")(descriptor, mode);
}

MAZUR_EXPORT int fclose(FILE* stream) {
  preserve(fileno(stream));
  static decltype(fclose)* slot;
  return real(slot, "fclose")(stream);
}

MAZUR_EXPORT FILE* tmpfile() { return opening<decltype(tmpfile)>("tmpfile")(); }
MAZUR_EXPORT FILE* tmpfile64() { return opening<decltype(tmpfile)>("tmpfile64")(); }
MAZUR_EXPORT int mkstemp(char* name) { return opening<decltype(mkstemp)>("mkstemp")(name); }
MAZUR_EXPORT int mkstemp64(char* name) { return opening<decltype(mkstemp)>("mkstemp64")(name); }
MAZUR_EXPORT DIR* opendir(const char* name) { return opening<decltype(opendir)>("opendir")(name); }

MAZUR_EXPORT int shm_open(const char* name, int flags, mode_t mode) {
  return opening<decltype(shm_open)>("shm_open")(name, flags, mode);
}

MAZUR_EXPORT int memfd_create(const char* name, unsigned flags) noexcept {
  return opening<decltype(memfd_create)>("memfd_create")(name, flags);
}

MAZUR_EXPORT int eventfd(unsigned value, int flags) noexcept {
  return opening<decltype(eventfd)>("eventfd")(value, flags);
}

MAZUR_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  return opening<decltype(timerfd_create)>("timerfd_create")(clock, flags);
}

MAZUR_EXPORT int epoll_create(int size) noexcept {
  return opening<decltype(epoll_create)>("epoll_create")(size);
}

MAZUR_EXPORT int epoll_create1(int flags) noexcept {
  return opening<decltype(epoll_create1)>("epoll_create1")(flags);
}

MAZUR_EXPORT int inotify_init() noexcept {
  return opening<decltype(inotify_init)>("inotify_init")();
}

MAZUR_EXPORT int pipe(int* ends) noexcept {
  tell_access(ends, 2 * sizeof *ends, true, MAZUR_CALLER);
  touch_for_kernel(ends, 2 * sizeof *ends);
  return opening<decltype(pipe)>("pipe")(ends);
}

MAZUR_EXPORT int pipe2(int* ends, int flags) noexcept {
  tell_access(ends, 2 * sizeof *ends, true, MAZUR_CALLER);
  touch_for_kernel(ends, 2 * sizeof *ends);
  return opening<decltype(pipe2)>("pipe2")(ends, flags);
}

MAZUR_EXPORT int dup(int descriptor) noexcept {
  opened |= runtime.running;
  return static_cast<int>(checked(raw_syscall(SYS_dup, descriptor)));
}

MAZUR_EXPORT int dup2(int from, int to) noexcept {
  preserve(to);
  opened |= runtime.running;
  return static_cast<int>(checked(raw_syscall(SYS_dup2, from, to)));
}

MAZUR_EXPORT int dup3(int from, int to, int flags) noexcept {
  preserve(to);
  opened |= runtime.running;
  return static_cast<int>(checked(raw_syscall(SYS_dup3, from, to, flags)));
}

MAZUR_EXPORT int close(int descriptor) {
  preserve(descriptor);
  return static_cast<int>(checked(raw_syscall(SYS_close, descriptor)));
}

MAZUR_EXPORT int stat(const char* path, struct stat* out) noexcept {
  return stat_at(AT_FDCWD, path, out, sizeof *out, 0, MAZUR_CALLER);
}

MAZUR_EXPORT int stat64(const char* path, struct stat64* out) noexcept {
  return stat_at(AT_FDCWD, path, out, sizeof *out, 0, MAZUR_CALLER);
}

MAZUR_EXPORT int lstat(const char* path, struct stat* out) noexcept {
  return stat_at(AT_FDCWD, path, out, sizeof *out, AT_SYMLINK_NOFOLLOW, MAZUR_CALLER);
}

MAZUR_EXPORT int lstat64(const char* path, struct stat64* out) noexcept {
  return stat_at(AT_FDCWD, path, out, sizeof *out, AT_SYMLINK_NOFOLLOW, MAZUR_CALLER);
}

MAZUR_EXPORT int fstat(int descriptor, struct stat* out) noexcept {
  return stat_at(descriptor, "", out, sizeof *out, AT_EMPTY_PATH, MAZUR_CALLER);
}

MAZUR_EXPORT int fstat64(int descriptor, struct stat64* out) noexcept {
  return stat_at(descriptor, "", out, sizeof *out, AT_EMPTY_PATH, MAZUR_CALLER);
}
