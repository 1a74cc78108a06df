// Reading. Ordinary files are fine; what may wait for the outside is not controlled.
//
// Enabled, does, depends on, reversible: no events. A read from a file gives the same in every
// execution, and the position of standard input is put back, if it is a file. The devices of
// randomness give numbers of the thread's own (randomness.cpp).
//
// A system call that writes to a read-only page of the snapshot fails: so buffers are touched
// first.
#include "machine/native/system/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "machine/native/engine/per_execution.h"
#include "machine/native/library/failed_with.h"
#include "machine/native/library/library_call.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/system/randomness.h"

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

}  // namespace

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

namespace {

// A call that fills up to `most` bytes of a buffer, and says how many they were.
template <typename F>
auto fill(const char* name, const void* pc, void* buffer, std::size_t most, F&& read) {
  LibraryCall call(name, pc);
  note_library_write(buffer, pc);
  call.touches([&] { call.may_write(buffer, most); });
  const auto got = read();
  if (got > 0) call.wrote(buffer, static_cast<std::size_t>(got));
  return got;
}

// The same for several buffers.
template <typename F>
ssize_t fill(const char* name, const void* pc, const iovec* parts, int count, F&& read) {
  LibraryCall call(name, pc);
  note_library_change(pc);
  call.touches([&] {
    call.reads(parts, static_cast<std::size_t>(count) * sizeof *parts);
    for (int i = 0; i < count; ++i) call.may_write(parts[i].iov_base, parts[i].iov_len);
  });
  const ssize_t got = read();
  auto left = static_cast<std::size_t>(got > 0 ? got : 0);
  for (int i = 0; i < count && left > 0; ++i) {
    const std::size_t part = std::min(left, parts[i].iov_len);
    call.wrote(parts[i].iov_base, part);
    left -= part;
  }
  return got;
}

// A line of text: what was written is the string that came out.
template <typename F>
char* fill_line(const char* name, const void* pc, char* line, int size, F&& read) {
  LibraryCall call(name, pc);
  note_library_write(line, pc);
  call.touches([&] { call.may_write(line, static_cast<std::size_t>(size > 0 ? size : 0)); });
  char* const got = read();
  if (call && got != nullptr) call.wrote(line, string_size(line));
  return got;
}

template <typename F>
ssize_t fill_allocated(const char* name, const void* pc, char** line, std::size_t* size, F&& read) {
  LibraryCall call(name, pc);
  note_library_change(pc);
  call.touches([&] {
    call.reads(line, sizeof *line);
    call.reads(size, sizeof *size);
    call.writes(line, sizeof *line);
    call.writes(size, sizeof *size);
    if (*line != nullptr) call.may_write(*line, *size);
  });
  const ssize_t got = read();
  if (got >= 0) call.wrote(*line, static_cast<std::size_t>(got) + 1);
  return got;
}

}  // namespace

MAZUR_EXPORT ssize_t read(int descriptor, void* buffer, std::size_t size) {
  const void* const pc = MAZUR_CALLER;
  return fill("read", pc, buffer, size, [&] { return read_into(descriptor, buffer, size, pc); });
}

MAZUR_EXPORT ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  if (size > room) abort();
  const void* const pc = MAZUR_CALLER;
  return fill("read", pc, buffer, size, [&] { return read_into(descriptor, buffer, size, pc); });
}

#define MAZUR_PREAD(name, offset_type)                                                            \
  MAZUR_EXPORT ssize_t name(int descriptor, void* buffer, std::size_t size, offset_type offset) { \
    return fill(#name, MAZUR_CALLER, buffer, size,                                                \
                [&] { return read_at(descriptor, buffer, size, offset); });                       \
  }
MAZUR_PREAD(pread, off_t)
MAZUR_PREAD(pread64, off64_t)
#undef MAZUR_PREAD

MAZUR_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  const void* const pc = MAZUR_CALLER;
  return fill("readv", pc, parts, count, [&] {
    if (in_execution()) {
      input_used |= descriptor == 0;
      if (classify(descriptor) != Source::kFile) unsupported(kOutside, pc);
      for (int i = 0; i < count; ++i) touch_for_kernel(parts[i].iov_base, parts[i].iov_len);
    }
    return checked(raw_syscall(SYS_readv, descriptor, reinterpret_cast<long>(parts), count));
  });
}

namespace {

// Reads objects of `size` bytes. A part of the last one may be written as well.
template <typename F>
std::size_t fill_objects(const char* name, const void* pc, void* buffer, std::size_t size,
                         std::size_t count, FILE* stream, F&& read) {
  prepare_stream(stream, pc);
  if (in_execution()) touch_for_kernel(buffer, size * count);
  std::size_t got = 0;
  fill(name, pc, buffer, size * count, [&] {
    got = read();
    return got * size;
  });
  return got;
}

}  // namespace

#define MAZUR_FREAD(name)                                                               \
  MAZUR_LIBRARY(std::size_t, name,                                                      \
                (void* buffer, std::size_t size, std::size_t count, FILE* stream)) {    \
    return fill_objects("fread", MAZUR_CALLER, buffer, size, count, stream,             \
                        [&] { return MAZUR_REAL(name)(buffer, size, count, stream); }); \
  }
MAZUR_FREAD(fread)
MAZUR_FREAD(fread_unlocked)
#undef MAZUR_FREAD

#define MAZUR_FREAD(name)                                                                     \
  MAZUR_LIBRARY(                                                                              \
      std::size_t, name,                                                                      \
      (void* buffer, std::size_t room, std::size_t size, std::size_t count, FILE* stream)) {  \
    return fill_objects("fread", MAZUR_CALLER, buffer, size, count, stream,                   \
                        [&] { return MAZUR_REAL(name)(buffer, room, size, count, stream); }); \
  }
MAZUR_FREAD(__fread_chk)
MAZUR_FREAD(__fread_unlocked_chk)
#undef MAZUR_FREAD

#define MAZUR_FGETS(name)                                                   \
  MAZUR_LIBRARY(char*, name, (char* line, int size, FILE* stream)) {        \
    prepare_stream(stream, MAZUR_CALLER);                                   \
    return fill_line("fgets", MAZUR_CALLER, line, size,                     \
                     [&] { return MAZUR_REAL(name)(line, size, stream); }); \
  }
MAZUR_FGETS(fgets)
MAZUR_FGETS(fgets_unlocked)
#undef MAZUR_FGETS

#define MAZUR_FGETS(name)                                                              \
  MAZUR_LIBRARY(char*, name, (char* line, std::size_t room, int size, FILE* stream)) { \
    prepare_stream(stream, MAZUR_CALLER);                                              \
    return fill_line("fgets", MAZUR_CALLER, line, size,                                \
                     [&] { return MAZUR_REAL(name)(line, room, size, stream); });      \
  }
MAZUR_FGETS(__fgets_chk)
MAZUR_FGETS(__fgets_unlocked_chk)
#undef MAZUR_FGETS

MAZUR_LIBRARY(int, fgetc, (FILE * stream)) {
  prepare_stream(stream, MAZUR_CALLER);
  return MAZUR_REAL(fgetc)(stream);
}

MAZUR_LIBRARY(int, getc, (FILE * stream)) {
  prepare_stream(stream, MAZUR_CALLER);
  return MAZUR_REAL(getc)(stream);
}

MAZUR_LIBRARY(int, getchar, ()) {
  prepare_stream(stdin, MAZUR_CALLER);
  return MAZUR_REAL(getchar)();
}

MAZUR_LIBRARY(ssize_t, getline, (char** line, std::size_t* size, FILE* stream)) {
  prepare_stream(stream, MAZUR_CALLER);
  return fill_allocated("getline", MAZUR_CALLER, line, size,
                        [&] { return MAZUR_REAL(getline)(line, size, stream); });
}

// An optimised getline() calls the second one.
#define MAZUR_GETDELIM(name)                                                                    \
  MAZUR_LIBRARY(ssize_t, name, (char** line, std::size_t* size, int delimiter, FILE* stream)) { \
    prepare_stream(stream, MAZUR_CALLER);                                                       \
    return fill_allocated("getdelim", MAZUR_CALLER, line, size,                                 \
                          [&] { return MAZUR_REAL(name)(line, size, delimiter, stream); });     \
  }
MAZUR_GETDELIM(getdelim)
MAZUR_GETDELIM(__getdelim)
#undef MAZUR_GETDELIM
