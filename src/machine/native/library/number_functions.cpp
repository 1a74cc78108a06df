// Text to numbers, random numbers with a state of the caller's, and character sets.
//
// Enabled, does, depends on, reversible: plain accesses (library_call.h).
#include <errno.h>
#include <iconv.h>
#include <inttypes.h>
#include <stdlib.h>

#include "machine/native/library/library_call.h"

using namespace mazur::native;

namespace {

// Up to the first character that is no part of the number.
void tell_number(LibraryCall& call, const char* text, const char* end) {
  call.reads(text, static_cast<std::size_t>(end - text) + 1);
}

// `convert(end)` calls the real function; it is called once more to learn where the number ends.
template <typename F>
auto told_number(const char* name, const void* pc, const char* text, char** end, F&& convert) {
  LibraryCall call(name, pc);
  if (end != nullptr) note_library_write(end, pc);
  if (!call) return convert(end);
  call.touches([&] {
    const int error = errno;
    char* stop = const_cast<char*>(text);
    convert(&stop);
    errno = error;
    tell_number(call, text, stop);
    call.writes(end, sizeof *end);
  });
  return convert(end);
}

}  // namespace

#define MAZUR_INTEGER(type, name)                                                    \
  MAZUR_LIBRARY(type, name, (const char* text, char** end, int base)) {              \
    return told_number(#name, MAZUR_CALLER, text, end,                               \
                       [&](char** to) { return MAZUR_REAL(name)(text, to, base); }); \
  }
MAZUR_INTEGER(long, strtol)
MAZUR_INTEGER(unsigned long, strtoul)
MAZUR_INTEGER(long long, strtoll)
MAZUR_INTEGER(unsigned long long, strtoull)
MAZUR_INTEGER(std::intmax_t, strtoimax)
MAZUR_INTEGER(std::uintmax_t, strtoumax)
MAZUR_INTEGER(long, __isoc23_strtol)
MAZUR_INTEGER(unsigned long, __isoc23_strtoul)
MAZUR_INTEGER(long long, __isoc23_strtoll)
MAZUR_INTEGER(unsigned long long, __isoc23_strtoull)
#undef MAZUR_INTEGER

#define MAZUR_FLOAT(type, name)                                                \
  MAZUR_LIBRARY(type, name, (const char* text, char** end)) {                  \
    return told_number(#name, MAZUR_CALLER, text, end,                         \
                       [&](char** to) { return MAZUR_REAL(name)(text, to); }); \
  }
MAZUR_FLOAT(float, strtof)
MAZUR_FLOAT(double, strtod)
MAZUR_FLOAT(long double, strtold)
#undef MAZUR_FLOAT

#define MAZUR_NUMBER(type, name, convert)                                      \
  MAZUR_LIBRARY(type, name, (const char* text)) {                              \
    return told_number(#name, MAZUR_CALLER, text, nullptr,                     \
                       [&](char** to) { return static_cast<type>(convert); }); \
  }
MAZUR_NUMBER(int, atoi, strtol(text, to, 10))
MAZUR_NUMBER(long, atol, strtol(text, to, 10))
MAZUR_NUMBER(long long, atoll, strtoll(text, to, 10))
MAZUR_NUMBER(double, atof, strtod(text, to))
#undef MAZUR_NUMBER

// ---- Random numbers

#define MAZUR_RANDOM(type, name, parameters, passed, state, result) \
  MAZUR_LIBRARY(type, name, parameters) {                           \
    LibraryCall call(#name, MAZUR_CALLER);                          \
    note_library_write(state, MAZUR_CALLER);                        \
    call.touches([&] {                                              \
      call.reads(state, sizeof *state);                             \
      call.writes(state, sizeof *state);                            \
      result;                                                       \
    });                                                             \
    return MAZUR_REAL(name) passed;                                 \
  }
MAZUR_RANDOM(int, rand_r, (unsigned* seed), (seed), seed, )
MAZUR_RANDOM(int, random_r, (random_data * state, std::int32_t* number), (state, number), state,
             call.writes(number, sizeof *number))
MAZUR_RANDOM(int, srandom_r, (unsigned seed, random_data* state), (seed, state), state, )
MAZUR_RANDOM(int, drand48_r, (drand48_data * state, double* number), (state, number), state,
             call.writes(number, sizeof *number))
MAZUR_RANDOM(int, lrand48_r, (drand48_data * state, long* number), (state, number), state,
             call.writes(number, sizeof *number))
MAZUR_RANDOM(int, mrand48_r, (drand48_data * state, long* number), (state, number), state,
             call.writes(number, sizeof *number))
MAZUR_RANDOM(int, srand48_r, (long seed, drand48_data* state), (seed, state), state, )

using Seed48 = unsigned short[3];
#define MAZUR_RANDOM48(type, name)                    \
  MAZUR_LIBRARY(type, name, (unsigned short* seed)) { \
    LibraryCall call(#name, MAZUR_CALLER);            \
    note_library_write(seed, MAZUR_CALLER);           \
    call.touches([&] {                                \
      call.reads(seed, sizeof(Seed48));               \
      call.writes(seed, sizeof(Seed48));              \
    });                                               \
    return MAZUR_REAL(name)(seed);                    \
  }
MAZUR_RANDOM48(double, erand48)
MAZUR_RANDOM48(long, nrand48)
MAZUR_RANDOM48(long, jrand48)

// ---- Character sets

MAZUR_LIBRARY(std::size_t, iconv,
              (iconv_t conversion, char** in, std::size_t* in_left, char** out,
               std::size_t* out_left)) {
  LibraryCall call("iconv", MAZUR_CALLER);
  note_library_change(MAZUR_CALLER);
  char* const to = out != nullptr ? *out : nullptr;
  call.touches([&] {
    // A conversion descriptor has a state, which two threads must not use at the same time.
    call.updates(conversion, 1);
    if (in != nullptr && *in != nullptr) {
      call.reads(*in, *in_left);
      call.writes(in, sizeof *in);
      call.writes(in_left, sizeof *in_left);
    }
    if (to != nullptr) {
      call.writes(out, sizeof *out);
      call.writes(out_left, sizeof *out_left);
      call.may_write(to, *out_left);
    }
  });
  const std::size_t result = MAZUR_REAL(iconv)(conversion, in, in_left, out, out_left);
  if (to != nullptr) call.wrote(to, static_cast<std::size_t>(*out - to));
  return result;
}
