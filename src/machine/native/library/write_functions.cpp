// Writing to files and streams: what is written is read from the program's memory.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h). A stream is protected by
// its own lock, so that two threads may write to one.
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

#include "machine/native/library/library_call.h"

using namespace mazur::native;

#define MAZUR_WRITE(type, name, parameters, passed, text, size) \
  MAZUR_LIBRARY(type, name, parameters) {                       \
    LibraryCall call(#name, MAZUR_CALLER);                      \
    call.touches([&] { call.reads(text, size); });              \
    return MAZUR_REAL(name) passed;                             \
  }

MAZUR_WRITE(int, puts, (const char* text), (text), text, string_size(text))
MAZUR_WRITE(int, fputs, (const char* text, FILE* stream), (text, stream), text, string_size(text))
MAZUR_WRITE(int, fputs_unlocked, (const char* text, FILE* stream), (text, stream), text,
            string_size(text))
MAZUR_WRITE(int, fputws, (const wchar_t* text, FILE* stream), (text, stream), text,
            (wcslen(text) + 1) * sizeof *text)
MAZUR_WRITE(std::size_t, fwrite,
            (const void* objects, std::size_t size, std::size_t count, FILE* stream),
            (objects, size, count, stream), objects, size* count)
MAZUR_WRITE(std::size_t, fwrite_unlocked,
            (const void* objects, std::size_t size, std::size_t count, FILE* stream),
            (objects, size, count, stream), objects, size* count)
MAZUR_WRITE(void, perror, (const char* text), (text), text, string_size(text))
MAZUR_WRITE(ssize_t, write, (int file, const void* bytes, std::size_t size), (file, bytes, size),
            bytes, size)
MAZUR_WRITE(ssize_t, pwrite, (int file, const void* bytes, std::size_t size, off_t offset),
            (file, bytes, size, offset), bytes, size)
MAZUR_WRITE(ssize_t, pwrite64, (int file, const void* bytes, std::size_t size, off64_t offset),
            (file, bytes, size, offset), bytes, size)

MAZUR_LIBRARY(ssize_t, writev, (int file, const iovec* parts, int count)) {
  LibraryCall call("writev", MAZUR_CALLER);
  call.touches([&] {
    call.reads(parts, static_cast<std::size_t>(count) * sizeof *parts);
    for (int i = 0; i < count; ++i) call.reads(parts[i].iov_base, parts[i].iov_len);
  });
  return MAZUR_REAL(writev)(file, parts, count);
}
