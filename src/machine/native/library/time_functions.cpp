// Calendar time: what is read and written through pointers, and the results that all threads share.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h).
#include <string.h>
#include <time.h>

#include "machine/native/engine/per_execution.h"
#include "machine/native/library/static_state.h"

using namespace mazur::native;

namespace {

// localtime, gmtime, asctime and ctime return the addresses of these. The library has its own, but
// nobody can know where before the first call.
tm shared_time;
char shared_text[128];
const PerExecution reset_results([] {
  shared_time = {};
  shared_text[0] = 0;
});

constexpr char kTimeName[] = "the static result of localtime and gmtime";
constexpr char kTextName[] = "the static result of asctime and ctime";
constexpr std::size_t kTextSize = 26;

void tell_shared_time(LibraryCall& call) {
  name_for_reports(&shared_time, kTimeName);
  call.writes(&shared_time, sizeof shared_time);
}

void tell_shared_text(LibraryCall& call) {
  name_for_reports(shared_text, kTextName);
  call.writes(shared_text, kTextSize);
}

char* share_text(const char* text) {
  if (text == nullptr) return nullptr;
  strncpy(shared_text, text, sizeof shared_text - 1);
  return shared_text;
}

}  // namespace

#define MAZUR_TIME(name)                           \
  MAZUR_LIBRARY(tm*, name, (const time_t* time)) { \
    LibraryCall call(#name, MAZUR_CALLER);         \
    note_library_change(MAZUR_CALLER);             \
    call.touches([&] {                             \
      call.reads(time, sizeof *time);              \
      tell_shared_time(call);                      \
    });                                            \
    const tm* result = MAZUR_REAL(name)(time);     \
    if (result == nullptr) return nullptr;         \
    shared_time = *result;                         \
    return &shared_time;                           \
  }
MAZUR_TIME(localtime)
MAZUR_TIME(gmtime)
#undef MAZUR_TIME

#define MAZUR_TIME(type, name, from, size)                   \
  MAZUR_LIBRARY(type*, name, (const from* time, type* to)) { \
    LibraryCall call(#name, MAZUR_CALLER);                   \
    note_library_write(to, MAZUR_CALLER);                    \
    call.touches([&] {                                       \
      call.reads(time, sizeof *time);                        \
      call.writes(to, size);                                 \
    });                                                      \
    return MAZUR_REAL(name)(time, to);                       \
  }
MAZUR_TIME(tm, localtime_r, time_t, sizeof *to)
MAZUR_TIME(tm, gmtime_r, time_t, sizeof *to)
MAZUR_TIME(char, asctime_r, tm, kTextSize)
MAZUR_TIME(char, ctime_r, time_t, kTextSize)
#undef MAZUR_TIME

MAZUR_LIBRARY(char*, asctime, (const tm* time)) {
  LibraryCall call("asctime", MAZUR_CALLER);
  note_library_change(MAZUR_CALLER);
  call.touches([&] {
    call.reads(time, sizeof *time);
    tell_shared_text(call);
  });
  return share_text(MAZUR_REAL(asctime)(time));
}

MAZUR_LIBRARY(char*, ctime, (const time_t* time)) {
  LibraryCall call("ctime", MAZUR_CALLER);
  note_library_change(MAZUR_CALLER);
  call.touches([&] {
    call.reads(time, sizeof *time);
    tell_shared_time(call);
    tell_shared_text(call);
  });
  return share_text(MAZUR_REAL(ctime)(time));
}

#define MAZUR_TIME(name)                     \
  MAZUR_LIBRARY(time_t, name, (tm * time)) { \
    LibraryCall call(#name, MAZUR_CALLER);   \
    note_library_write(time, MAZUR_CALLER);  \
    call.touches([&] {                       \
      call.reads(time, sizeof *time);        \
      call.writes(time, sizeof *time);       \
    });                                      \
    return MAZUR_REAL(name)(time);           \
  }
MAZUR_TIME(mktime)
MAZUR_TIME(timegm)
#undef MAZUR_TIME

MAZUR_LIBRARY(std::size_t, strftime,
              (char* to, std::size_t size, const char* format, const tm* time)) {
  LibraryCall call("strftime", MAZUR_CALLER);
  note_library_write(to, MAZUR_CALLER);
  call.touches([&] {
    call.reads(format, string_size(format));
    call.reads(time, sizeof *time);
    call.may_write(to, size);
  });
  const std::size_t length = MAZUR_REAL(strftime)(to, size, format, time);
  if (length != 0) call.wrote(to, length + 1);
  return length;
}

MAZUR_LIBRARY(char*, strptime, (const char* text, const char* format, tm* to)) {
  LibraryCall call("strptime", MAZUR_CALLER);
  note_library_write(to, MAZUR_CALLER);
  call.touches([&] {
    call.reads(text, string_size(text));
    call.reads(format, string_size(format));
    call.writes(to, sizeof *to);
  });
  return MAZUR_REAL(strptime)(text, format, to);
}
