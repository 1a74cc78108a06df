// What is not controlled: other processes, sockets, waiting for descriptors, libraries loaded in an
// execution.
//
// Enabled, does, depends on, reversible: nothing of it. Inside an execution each of these ends the
// exploration with the verdict `unsupported`, which names the call and where it was made; before
// main they do what they always do.
//
// Waiting for no descriptor at all, as select() is used to sleep, is a sleep (clock.cpp).
#include <aio.h>
#include <dlfcn.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine/native/engine/runtime.h"
#include "machine/native/memory/raw.h"
#include "machine/native/system/clock.h"

namespace mazur::native {
namespace {

// The real function, for calls from outside of an execution. Inside of one, does not return.
template <typename F>
F& outside(const char* name, const void* pc) {
  if (in_execution()) unsupported(name, pc);
  return *reinterpret_cast<F*>(real_symbol(name));
}

// The same for functions that cannot be passed on.
[[noreturn]] void refuse(const char* name, const void* pc) {
  if (in_execution()) unsupported(name, pc);
  die("before main: %s is not controlled by Mazur", name);
}

int sleep_instead(std::int64_t duration, const void* pc) {
  yield_event(pc);
  let_pass(duration);
  return 0;
}

constexpr std::int64_t kAWeek = std::int64_t{7} * 24 * 3600 * kSecond;

std::int64_t duration_of(const timespec* time) {
  return time == nullptr ? kAWeek : nanoseconds(*time);
}

}  // namespace
}  // namespace mazur::native

using namespace mazur::native;

// ---- Processes

MAZUR_EXPORT pid_t fork() noexcept { return outside<decltype(fork)>("fork", MAZUR_CALLER)(); }
MAZUR_EXPORT pid_t _Fork() noexcept { return outside<decltype(_Fork)>("_Fork", MAZUR_CALLER)(); }
// The child of a real one would return from this function's frame.
MAZUR_EXPORT pid_t vfork() noexcept { return outside<decltype(fork)>("fork", MAZUR_CALLER)(); }
MAZUR_EXPORT int clone(int (*)(void*), void*, int, void*, ...) noexcept {
  refuse("clone", MAZUR_CALLER);
}
MAZUR_EXPORT int daemon(int, int) noexcept { refuse("daemon", MAZUR_CALLER); }

MAZUR_EXPORT int execv(const char*, char* const*) noexcept { refuse("execv", MAZUR_CALLER); }
MAZUR_EXPORT int execve(const char*, char* const*, char* const*) noexcept {
  refuse("execve", MAZUR_CALLER);
}
MAZUR_EXPORT int execvp(const char*, char* const*) noexcept { refuse("execvp", MAZUR_CALLER); }
MAZUR_EXPORT int execvpe(const char*, char* const*, char* const*) noexcept {
  refuse("execvpe", MAZUR_CALLER);
}
MAZUR_EXPORT int execl(const char*, const char*, ...) noexcept { refuse("execl", MAZUR_CALLER); }
MAZUR_EXPORT int execlp(const char*, const char*, ...) noexcept { refuse("execlp", MAZUR_CALLER); }
MAZUR_EXPORT int execle(const char*, const char*, ...) noexcept { refuse("execle", MAZUR_CALLER); }
MAZUR_EXPORT int fexecve(int, char* const*, char* const*) noexcept {
  refuse("fexecve", MAZUR_CALLER);
}
MAZUR_EXPORT int execveat(int, const char*, char* const*, char* const*, int) noexcept {
  refuse("execveat", MAZUR_CALLER);
}
MAZUR_EXPORT int posix_spawn(pid_t*, const char*, const posix_spawn_file_actions_t*,
                             const posix_spawnattr_t*, char* const*, char* const*) {
  refuse("posix_spawn", MAZUR_CALLER);
}
MAZUR_EXPORT int posix_spawnp(pid_t*, const char*, const posix_spawn_file_actions_t*,
                              const posix_spawnattr_t*, char* const*, char* const*) {
  refuse("posix_spawnp", MAZUR_CALLER);
}
MAZUR_EXPORT int system(const char* command) {
  return outside<decltype(system)>("system", MAZUR_CALLER)(command);
}
MAZUR_EXPORT FILE* popen(const char* command, const char* mode) {
  return outside<decltype(popen)>("popen", MAZUR_CALLER)(command, mode);
}

// ---- Cancellation. Setting its state and type is harmless (cleanup.cpp).

MAZUR_EXPORT int pthread_cancel(pthread_t) { refuse("pthread_cancel", MAZUR_CALLER); }

// ---- Sockets and message queues

MAZUR_EXPORT int socket(int domain, int type, int protocol) noexcept {
  return outside<decltype(socket)>("socket", MAZUR_CALLER)(domain, type, protocol);
}
MAZUR_EXPORT int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  return outside<decltype(socketpair)>("socketpair", MAZUR_CALLER)(domain, type, protocol, ends);
}
MAZUR_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t size) {
  return outside<decltype(connect)>("connect", MAZUR_CALLER)(descriptor, address, size);
}
MAZUR_EXPORT int accept(int descriptor, sockaddr* address, socklen_t* size) {
  return outside<decltype(accept)>("accept", MAZUR_CALLER)(descriptor, address, size);
}
MAZUR_EXPORT int accept4(int descriptor, sockaddr* address, socklen_t* size, int flags) {
  return outside<decltype(accept4)>("accept4", MAZUR_CALLER)(descriptor, address, size, flags);
}
MAZUR_EXPORT ssize_t recv(int descriptor, void* buffer, std::size_t size, int flags) {
  return outside<decltype(recv)>("recv", MAZUR_CALLER)(descriptor, buffer, size, flags);
}
MAZUR_EXPORT ssize_t recvfrom(int descriptor, void* buffer, std::size_t size, int flags,
                              sockaddr* from, socklen_t* from_size) {
  return outside<decltype(recvfrom)>("recvfrom", MAZUR_CALLER)(descriptor, buffer, size, flags,
                                                               from, from_size);
}
MAZUR_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  return outside<decltype(recvmsg)>("recvmsg", MAZUR_CALLER)(descriptor, message, flags);
}
MAZUR_EXPORT ssize_t send(int descriptor, const void* buffer, std::size_t size, int flags) {
  return outside<decltype(send)>("send", MAZUR_CALLER)(descriptor, buffer, size, flags);
}
MAZUR_EXPORT int getaddrinfo(const char* node, const char* service, const addrinfo* hints,
                             addrinfo** result) {
  return outside<decltype(getaddrinfo)>("getaddrinfo", MAZUR_CALLER)(node, service, hints, result);
}
MAZUR_EXPORT hostent* gethostbyname(const char* name) {
  return outside<decltype(gethostbyname)>("gethostbyname", MAZUR_CALLER)(name);
}
MAZUR_EXPORT mqd_t mq_open(const char*, int, ...) noexcept { refuse("mq_open", MAZUR_CALLER); }
MAZUR_EXPORT int msgget(key_t, int) noexcept { refuse("msgget", MAZUR_CALLER); }
MAZUR_EXPORT int semget(key_t, int, int) noexcept { refuse("semget", MAZUR_CALLER); }

// ---- Waiting for descriptors

MAZUR_EXPORT int poll(pollfd* descriptors, nfds_t count, int milliseconds) {
  if (count == 0 && in_execution())
    return sleep_instead(milliseconds < 0 ? kAWeek : milliseconds * std::int64_t{1'000'000},
                         MAZUR_CALLER);
  return outside<decltype(poll)>("poll", MAZUR_CALLER)(descriptors, count, milliseconds);
}

MAZUR_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout,
                       const sigset_t* mask) {
  if (count == 0 && in_execution()) return sleep_instead(duration_of(timeout), MAZUR_CALLER);
  return outside<decltype(ppoll)>("ppoll", MAZUR_CALLER)(descriptors, count, timeout, mask);
}

MAZUR_EXPORT int select(int count, fd_set* in, fd_set* out, fd_set* errors, timeval* timeout) {
  const bool none = count == 0 || (in == nullptr && out == nullptr && errors == nullptr);
  if (none && in_execution())
    return sleep_instead(
        timeout == nullptr ? kAWeek : nanoseconds({timeout->tv_sec, timeout->tv_usec * 1000}),
        MAZUR_CALLER);
  return outside<decltype(select)>("select", MAZUR_CALLER)(count, in, out, errors, timeout);
}

MAZUR_EXPORT int pselect(int count, fd_set* in, fd_set* out, fd_set* errors,
                         const timespec* timeout, const sigset_t* mask) {
  const bool none = count == 0 || (in == nullptr && out == nullptr && errors == nullptr);
  if (none && in_execution()) return sleep_instead(duration_of(timeout), MAZUR_CALLER);
  return outside<decltype(pselect)>("pselect", MAZUR_CALLER)(count, in, out, errors, timeout, mask);
}

MAZUR_EXPORT int epoll_wait(int descriptor, epoll_event* events, int count, int timeout) {
  return outside<decltype(epoll_wait)>("epoll_wait", MAZUR_CALLER)(descriptor, events, count,
                                                                   timeout);
}

MAZUR_EXPORT int epoll_pwait(int descriptor, epoll_event* events, int count, int timeout,
                             const sigset_t* mask) {
  return outside<decltype(epoll_pwait)>("epoll_pwait", MAZUR_CALLER)(descriptor, events, count,
                                                                     timeout, mask);
}

// libc does these in threads of its own.
MAZUR_EXPORT int aio_read(aiocb*) noexcept { refuse("aio_read", MAZUR_CALLER); }
MAZUR_EXPORT int aio_write(aiocb*) noexcept { refuse("aio_write", MAZUR_CALLER); }
MAZUR_EXPORT int lio_listio(int, aiocb* const*, int, sigevent*) noexcept {
  refuse("lio_listio", MAZUR_CALLER);
}

// ---- Libraries: what an execution loads would not be part of the snapshot.

MAZUR_EXPORT void* dlopen(const char* file, int mode) noexcept {
  // Asking for the program itself, or for what is loaded already, loads nothing.
  if (in_execution() && file != nullptr && (mode & RTLD_NOLOAD) == 0)
    unsupported("dlopen", MAZUR_CALLER);
  static decltype(dlopen)* slot;
  return real(slot, "dlopen")(file, mode);
}

MAZUR_EXPORT void* dlmopen(Lmid_t space, const char* file, int mode) noexcept {
  return outside<decltype(dlmopen)>("dlmopen", MAZUR_CALLER)(space, file, mode);
}
