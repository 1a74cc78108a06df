// Reading. Ordinary files are fine; what may wait for the outside is not controlled.
//
// Enabled, does, depends on, reversible: no events. A read from a file gives the same in every
// execution, and the position of standard input is put back, if it is a file. The devices of
// randomness give the thread's own numbers.
//
// The kernel does not fault on a read-only snapshot page, it fails: buffers are touched first.
#include "machine/native/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>

#include "machine/native/per_execution.h"
#include "machine/native/primitive.h"
#include "machine/native/randomness.h"
#include "machine/native/raw.h"
#include "machine/native/snapshot.h"

namespace mazur::native {
namespace {

enum class Source { kFile, kRandom, kOutside };

Source classify(int directory, const char* path, int flags) {
  struct stat status = {};  // written here first, and not by the kernel (stack.h)
  if (raw_syscall(SYS_newfstatat, directory, reinterpret_cast<long>(path),
                  reinterpret_cast<long>(&status), flags) < 0)
    return Source::kFile;  // the call itself will fail
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode))
    return Source::kFile;
  if (!S_ISCHR(status.st_mode) || major(status.st_rdev) != 1) return Source::kOutside;
  const unsigned device = minor(status.st_rdev);
  if (device == 8 || device == 9) return Source::kRandom;               // random, urandom
  if (device == 3 || device == 5 || device == 7) return Source::kFile;  // null, zero, full
  return Source::kOutside;
}

Source classify(int descriptor) { return classify(descriptor, "", AT_EMPTY_PATH); }

// Where standard input stood at the snapshot.
long input_position = -1;
bool input_used = false;
const PerExecution rewind_input(
    [] {
      if (input_used && input_position >= 0) raw_syscall(SYS_lseek, 0, input_position, SEEK_SET);
      input_used = false;
    },
    [] { input_position = raw_syscall(SYS_lseek, 0, 0, SEEK_CUR); });

ssize_t checked(long result) {
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

constexpr char kOutside[] = "reading from a pipe, terminal or socket";

ssize_t read_into(int descriptor, void* buffer, std::size_t size, const void* pc) {
  if (in_execution()) {
    input_used |= descriptor == 0;
    const Source source = classify(descriptor);
    if (source == Source::kOutside) unsupported(kOutside, pc);
    if (source == Source::kRandom) {
      fill_random(buffer, size);
      return static_cast<ssize_t>(size);
    }
    touch_for_kernel(buffer, size);
  }
  return checked(
      raw_syscall(SYS_read, descriptor, reinterpret_cast<long>(buffer), static_cast<long>(size)));
}

ssize_t read_at(int descriptor, void* buffer, std::size_t size, off_t offset) {
  if (in_execution()) touch_for_kernel(buffer, size);
  return checked(raw_syscall(SYS_pread64, descriptor, reinterpret_cast<long>(buffer),
                             static_cast<long>(size), offset));
}

// Streams of the devices of randomness exist: libc would read from them on its own.
bool random_streams = false;

// Before libc reads from a stream on its own.
void prepare_stream(FILE* stream, const void* pc) {
  if (!in_execution()) return;
  if (random_streams && classify(fileno(stream)) == Source::kRandom)
    unsupported("reading a device of randomness through a stream", pc);
  if (stream == stdin) {
    if (may_block(0)) unsupported(kOutside, pc);
    input_used = true;
  }
  if (stream->_IO_buf_base != nullptr)
    touch_for_kernel(stream->_IO_buf_base,
                     static_cast<std::size_t>(stream->_IO_buf_end - stream->_IO_buf_base));
}

}  // namespace

bool may_block(int descriptor) { return classify(descriptor) == Source::kOutside; }

void refuse_blocking_file(int directory, const char* path, const void* pc) {
  struct stat status = {};
  if (raw_syscall(SYS_newfstatat, directory, reinterpret_cast<long>(path),
                  reinterpret_cast<long>(&status), 0) < 0)
    return;
  if (S_ISFIFO(status.st_mode)) unsupported("opening a named pipe", pc);
  random_streams |= classify(directory, path, 0) == Source::kRandom;
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT ssize_t read(int descriptor, void* buffer, std::size_t size) {
  return read_into(descriptor, buffer, size, MAZUR_CALLER);
}

MAZUR_EXPORT ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  if (size > room) abort();
  return read_into(descriptor, buffer, size, MAZUR_CALLER);
}

MAZUR_EXPORT ssize_t pread(int descriptor, void* buffer, std::size_t size, off_t offset) {
  return read_at(descriptor, buffer, size, offset);
}

MAZUR_EXPORT ssize_t pread64(int descriptor, void* buffer, std::size_t size, off64_t offset) {
  return read_at(descriptor, buffer, size, offset);
}

MAZUR_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (in_execution()) {
    input_used |= descriptor == 0;
    if (classify(descriptor) != Source::kFile) unsupported(kOutside, MAZUR_CALLER);
    for (int i = 0; i < count; ++i) touch_for_kernel(parts[i].iov_base, parts[i].iov_len);
  }
  return checked(raw_syscall(SYS_readv, descriptor, reinterpret_cast<long>(parts), count));
}

MAZUR_EXPORT std::size_t fread(void* buffer, std::size_t size, std::size_t count, FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  if (in_execution()) touch_for_kernel(buffer, size * count);
  static decltype(fread)* slot;
  return real(slot, "fread")(buffer, size, count, stream);
}

MAZUR_EXPORT std::size_t fread_unlocked(void* buffer, std::size_t size, std::size_t count,
                                        FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  if (in_execution()) touch_for_kernel(buffer, size * count);
  static decltype(fread)* slot;
  return real(slot, "fread_unlocked")(buffer, size, count, stream);
}

MAZUR_EXPORT std::size_t __fread_chk(void* buffer, std::size_t room, std::size_t size,
                                     std::size_t count, FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  if (in_execution()) touch_for_kernel(buffer, room);
  static decltype(__fread_chk)* slot;
  return real(slot, "__fread_chk")(buffer, room, size, count, stream);
}

MAZUR_EXPORT char* fgets(char* line, int size, FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  static decltype(fgets)* slot;
  return real(slot, "fgets")(line, size, stream);
}

MAZUR_EXPORT char* __fgets_chk(char* line, std::size_t room, int size, FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  static decltype(__fgets_chk)* slot;
  return real(slot, "__fgets_chk")(line, room, size, stream);
}

MAZUR_EXPORT int fgetc(FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  static decltype(fgetc)* slot;
  return real(slot, "fgetc")(stream);
}

MAZUR_EXPORT int getc(FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  static decltype(getc)* slot;
  return real(slot, "getc")(stream);
}

MAZUR_EXPORT int getchar() {
  prepare_stream(stdin, MAZUR_CALLER);
  static decltype(getchar)* slot;
  return real(slot, "getchar")();
}

MAZUR_EXPORT ssize_t getline(char** line, std::size_t* size, FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  static decltype(getline)* slot;
  return real(slot, "getline")(line, size, stream);
}

MAZUR_EXPORT ssize_t getdelim(char** line, std::size_t* size, int delimiter, FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  static decltype(getdelim)* slot;
  return real(slot, "getdelim")(line, size, delimiter, stream);
}

// What an optimised getline() calls.
MAZUR_EXPORT ssize_t __getdelim(char** line, std::size_t* size, int delimiter, FILE* stream) {
  prepare_stream(stream, MAZUR_CALLER);
  static decltype(getdelim)* slot;
  return real(slot, "getdelim")(line, size, delimiter, stream);
}

namespace {

using Scan = int(FILE*, const char*, std::va_list);

int scan(FILE* stream, const char* format, std::va_list arguments, bool gnu, const void* pc) {
  prepare_stream(stream, pc);
  static Scan *gnu_slot, *standard_slot;
  Scan* const scan = gnu ? real(gnu_slot, "vfscanf") : real(standard_slot, "__isoc99_vfscanf");
  return scan(stream, format, arguments);
}

}  // namespace

// The header gives scanf and its relatives the names below; the plain names are glibc's older
// dialect.
#define MAZUR_SCANF(prefix, gnu)                                                          \
  MAZUR_EXPORT int mazur##prefix##scanf(const char* format, ...) asm(#prefix "scanf");    \
  int mazur##prefix##scanf(const char* format, ...) {                                     \
    std::va_list arguments;                                                               \
    va_start(arguments, format);                                                          \
    const int result = scan(stdin, format, arguments, gnu, MAZUR_CALLER);                 \
    va_end(arguments);                                                                    \
    return result;                                                                        \
  }                                                                                       \
  MAZUR_EXPORT int mazur##prefix##fscanf(FILE* stream, const char* format,                \
                                         ...) asm(#prefix "fscanf");                      \
  int mazur##prefix##fscanf(FILE* stream, const char* format, ...) {                      \
    std::va_list arguments;                                                               \
    va_start(arguments, format);                                                          \
    const int result = scan(stream, format, arguments, gnu, MAZUR_CALLER);                \
    va_end(arguments);                                                                    \
    return result;                                                                        \
  }                                                                                       \
  MAZUR_EXPORT int mazur##prefix##vscanf(const char* format,                              \
                                         std::va_list arguments) asm(#prefix "vscanf");   \
  int mazur##prefix##vscanf(const char* format, std::va_list arguments) {                 \
    return scan(stdin, format, arguments, gnu, MAZUR_CALLER);                             \
  }                                                                                       \
  MAZUR_EXPORT int mazur##prefix##vfscanf(FILE* stream, const char* format,               \
                                          std::va_list arguments) asm(#prefix "vfscanf"); \
  int mazur##prefix##vfscanf(FILE* stream, const char* format, std::va_list arguments) {  \
    return scan(stream, format, arguments, gnu, MAZUR_CALLER);                            \
  }
MAZUR_SCANF(__isoc99_, false)
MAZUR_SCANF(, true)
#undef MAZUR_SCANF
