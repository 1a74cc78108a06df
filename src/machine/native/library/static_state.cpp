#include "machine/native/library/static_state.h"

#include <dirent.h>
#include <grp.h>
#include <locale.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"

MAZUR_EXPORT void mazur_runtime_name_object(const void* object, const char* name);

namespace mazur::native {

void name_for_reports(const void* address, const char* name) {
  mazur_runtime_name_object(address, name);
}

void StaticState::tell(LibraryCall& call, bool writes) {
  if (execution_ != runtime.execution) {
    execution_ = runtime.execution;
    value_ = 0;
  }
  name_for_reports(&value_, name_);
  if (writes)
    call.updates(&value_, sizeof value_);
  else
    call.reads(&value_, sizeof value_);
}

void StaticState::changed() { value_ = spread(value_) + current_thread() + 1; }

void tell_state(StaticState& state, const char* function, bool writes, const void* pc) {
  LibraryCall call(function, pc);
  if (writes) note_library_change(pc);
  if (!call) return;
  call.touches([&] { state.tell(call, writes); });
  if (writes) state.changed();
}

}  // namespace mazur::native

using namespace mazur::native;

// ---- Cutting strings into pieces

namespace {

constinit StaticState strtok_state("the static state of strtok");

// What is left of the string, in a place of ours: strtok's own could not be looked at.
char* strtok_rest = nullptr;
std::uint32_t strtok_execution = 0;

// Tells what the next call looks at, from `text` on.
void tell_pieces(LibraryCall& call, char* text, const char* separators) {
  call.reads(separators, string_size(separators));
  if (text == nullptr) return;
  char* const begin = text + strspn(text, separators);
  char* const end = begin + strcspn(begin, separators);
  call.reads(text, static_cast<std::size_t>(end - text) + 1);
  if (*end != 0) call.writes(end, 1);
}

}  // namespace

#define MAZUR_STRTOK_R(name)                                                      \
  MAZUR_LIBRARY(char*, name, (char* text, const char* separators, char** rest)) { \
    LibraryCall call("strtok_r", MAZUR_CALLER);                                   \
    note_library_change(MAZUR_CALLER);                                            \
    call.touches([&] {                                                            \
      if (text == nullptr) call.reads(rest, sizeof *rest);                        \
      call.writes(rest, sizeof *rest);                                            \
      tell_pieces(call, text != nullptr ? text : *rest, separators);              \
    });                                                                           \
    return MAZUR_REAL(name)(text, separators, rest);                              \
  }
MAZUR_STRTOK_R(strtok_r)
MAZUR_STRTOK_R(__strtok_r)
#undef MAZUR_STRTOK_R

MAZUR_LIBRARY(char*, strtok, (char* text, const char* separators)) {
  LibraryCall call("strtok", MAZUR_CALLER);
  note_library_change(MAZUR_CALLER);
  if (strtok_execution != runtime.execution) strtok_rest = nullptr;
  strtok_execution = runtime.execution;
  call.touches([&] {
    strtok_state.tell(call, true);
    tell_pieces(call, text != nullptr ? text : strtok_rest, separators);
  });
  strtok_state.changed();
  return strtok_r(text, separators, &strtok_rest);
}

MAZUR_LIBRARY(char*, strsep, (char** text, const char* separators)) {
  LibraryCall call("strsep", MAZUR_CALLER);
  note_library_change(MAZUR_CALLER);
  call.touches([&] {
    call.reads(text, sizeof *text);
    if (*text == nullptr) return;
    call.writes(text, sizeof *text);
    call.reads(separators, string_size(separators));
    char* const end = *text + strcspn(*text, separators);
    call.reads(*text, static_cast<std::size_t>(end - *text) + 1);
    if (*end != 0) call.writes(end, 1);
  });
  return MAZUR_REAL(strsep)(text, separators);
}

// ---- The environment

namespace {

constinit StaticState environment_state("the environment");

void tell_environment(const char* function, const char* name, const char* value, bool writes,
                      const void* pc) {
  LibraryCall call(function, pc);
  if (writes) note_library_change(pc);
  if (!call) return;
  call.touches([&] {
    call.reads(name, string_size(name));
    call.reads(value, string_size(value));
    environment_state.tell(call, writes);
  });
  if (writes) environment_state.changed();
}

}  // namespace

MAZUR_LIBRARY(char*, getenv, (const char* name)) {
  tell_environment("getenv", name, nullptr, false, MAZUR_CALLER);
  return MAZUR_REAL(getenv)(name);
}
MAZUR_LIBRARY(char*, secure_getenv, (const char* name)) {
  tell_environment("secure_getenv", name, nullptr, false, MAZUR_CALLER);
  return MAZUR_REAL(secure_getenv)(name);
}
MAZUR_LIBRARY(int, setenv, (const char* name, const char* value, int replace)) {
  tell_environment("setenv", name, value, true, MAZUR_CALLER);
  return MAZUR_REAL(setenv)(name, value, replace);
}
MAZUR_LIBRARY(int, unsetenv, (const char* name)) {
  tell_environment("unsetenv", name, nullptr, true, MAZUR_CALLER);
  return MAZUR_REAL(unsetenv)(name);
}
MAZUR_LIBRARY(int, putenv, (char* text)) {
  tell_environment("putenv", text, nullptr, true, MAZUR_CALLER);
  return MAZUR_REAL(putenv)(text);
}
MAZUR_LIBRARY(int, clearenv, ()) {
  tell_environment("clearenv", nullptr, nullptr, true, MAZUR_CALLER);
  return MAZUR_REAL(clearenv)();
}

// ---- Others

namespace {
constinit StaticState locale_state("the locale");
constinit StaticState password_state("the static result of getpwnam and getpwuid");
constinit StaticState group_state("the static result of getgrnam and getgrgid");
constinit StaticState hash_state("the static table of hsearch");
constinit StaticState options_state("the static state of getopt");
constinit StaticState multibyte_state("the static state of mbtowc and wctomb");
}  // namespace

#define MAZUR_STATIC(type, name, parameters, passed, state, writes) \
  MAZUR_LIBRARY(type, name, parameters) {                           \
    tell_state(state, #name, writes, MAZUR_CALLER);                 \
    return MAZUR_REAL(name) passed;                                 \
  }
MAZUR_STATIC(char*, setlocale, (int category, const char* locale), (category, locale), locale_state,
             locale != nullptr)
MAZUR_STATIC(lconv*, localeconv, (), (), locale_state, true)
MAZUR_STATIC(passwd*, getpwnam, (const char* name), (name), password_state, true)
MAZUR_STATIC(passwd*, getpwuid, (uid_t user), (user), password_state, true)
MAZUR_STATIC(group*, getgrnam, (const char* name), (name), group_state, true)
MAZUR_STATIC(group*, getgrgid, (gid_t number), (number), group_state, true)
MAZUR_STATIC(ENTRY*, hsearch, (ENTRY item, ACTION action), (item, action), hash_state,
             action == ENTER)
MAZUR_STATIC(int, hcreate, (std::size_t size), (size), hash_state, true)
MAZUR_STATIC(void, hdestroy, (), (), hash_state, true)
MAZUR_STATIC(int, getopt, (int count, char* const* words, const char* known), (count, words, known),
             options_state, true)
MAZUR_STATIC(int, getopt_long,
             (int count, char* const* words, const char* known, const struct option* options,
              int* index),
             (count, words, known, options, index), options_state, true)
MAZUR_STATIC(int, mblen, (const char* text, std::size_t size), (text, size), multibyte_state, true)
MAZUR_STATIC(int, mbtowc, (wchar_t * to, const char* text, std::size_t size), (to, text, size),
             multibyte_state, true)
MAZUR_STATIC(int, wctomb, (char* to, wchar_t character), (to, character), multibyte_state, true)

// An entry lies in the stream until the next one is asked for.
#define MAZUR_READDIR(type, name)                               \
  MAZUR_LIBRARY(type*, name, (DIR * stream)) {                  \
    LibraryCall call("readdir", MAZUR_CALLER);                  \
    note_library_change(MAZUR_CALLER);                          \
    if (call) name_for_reports(stream, "the directory stream"); \
    call.touches([&] { call.updates(stream, 1); });             \
    return MAZUR_REAL(name)(stream);                            \
  }
MAZUR_READDIR(dirent, readdir)
MAZUR_READDIR(dirent64, readdir64)
