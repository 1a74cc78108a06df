// SV-COMP's names, for programs that only declare them: an archive that is linked into the program
// (cli/build/toolchain.cpp). A definition in the program wins. Without Mazur, inputs are 0, assume
// does nothing, and errors abort.
#include <cfloat>
#include <cstdint>
#include <cstdlib>

#include "mazur/mazur.h"

extern "C" {
unsigned long long mazur_runtime_nondet_integer(unsigned bits, int is_signed) __attribute__((weak));
double mazur_runtime_nondet_floating(double largest) __attribute__((weak));
void* mazur_runtime_nondet_pointer() __attribute__((weak));
}

namespace {

[[noreturn]] void failed(const char* what) {
  if (mazur_runtime_assert_failed != nullptr) mazur_runtime_assert_failed(what, "", 0, what);
  std::abort();
}

unsigned long long integer(unsigned bits, bool is_signed) {
  return mazur_runtime_nondet_integer != nullptr
             ? mazur_runtime_nondet_integer(bits, is_signed ? 1 : 0)
             : 0;
}

double floating(double largest) {
  return mazur_runtime_nondet_floating != nullptr ? mazur_runtime_nondet_floating(largest) : 0;
}

void* pointer() {
  return mazur_runtime_nondet_pointer != nullptr ? mazur_runtime_nondet_pointer() : nullptr;
}

}  // namespace

#define MAZUR_NAME extern "C" __attribute__((weak, visibility("default")))

MAZUR_NAME void __VERIFIER_assume(int condition) { mazur_assume(condition); }
MAZUR_NAME void __VERIFIER_atomic_begin() { mazur_atomic_begin(); }
MAZUR_NAME void __VERIFIER_atomic_end() { mazur_atomic_end(); }
MAZUR_NAME void __VERIFIER_error() { failed("__VERIFIER_error()"); }
MAZUR_NAME void reach_error() { failed("reach_error()"); }
MAZUR_NAME void __VERIFIER_assert(int condition) {
  if (condition == 0) failed("__VERIFIER_assert(0)");
}

#define MAZUR_INTEGER(name, type)                                            \
  MAZUR_NAME type __VERIFIER_nondet_##name() {                               \
    constexpr bool is_signed = static_cast<type>(-1) < static_cast<type>(0); \
    return static_cast<type>(integer(8 * sizeof(type), is_signed));          \
  }
MAZUR_INTEGER(char, char)
MAZUR_INTEGER(schar, signed char)
MAZUR_INTEGER(uchar, unsigned char)
MAZUR_INTEGER(short, short)
MAZUR_INTEGER(ushort, unsigned short)
MAZUR_INTEGER(int, int)
MAZUR_INTEGER(uint, unsigned)
MAZUR_INTEGER(unsigned, unsigned)
MAZUR_INTEGER(long, long)
MAZUR_INTEGER(ulong, unsigned long)
MAZUR_INTEGER(longlong, long long)
MAZUR_INTEGER(ulonglong, unsigned long long)
MAZUR_INTEGER(size_t, unsigned long)
MAZUR_INTEGER(loff_t, long)
MAZUR_INTEGER(sector_t, unsigned long)
MAZUR_INTEGER(pthread_t, unsigned long)
MAZUR_INTEGER(u8, unsigned char)
MAZUR_INTEGER(u16, unsigned short)
MAZUR_INTEGER(u32, unsigned)
MAZUR_INTEGER(u64, unsigned long)
MAZUR_INTEGER(S8, signed char)
MAZUR_INTEGER(S16, short)
MAZUR_INTEGER(S32, int)
MAZUR_INTEGER(S64, long)
MAZUR_INTEGER(U8, unsigned char)
MAZUR_INTEGER(U16, unsigned short)
MAZUR_INTEGER(U32, unsigned)
MAZUR_INTEGER(U64, unsigned long)

MAZUR_NAME bool __VERIFIER_nondet_bool() { return integer(1, false) != 0; }
MAZUR_NAME bool __VERIFIER_nondet__Bool() { return integer(1, false) != 0; }
MAZUR_NAME float __VERIFIER_nondet_float() { return static_cast<float>(floating(FLT_MAX)); }
MAZUR_NAME double __VERIFIER_nondet_double() { return floating(DBL_MAX); }
MAZUR_NAME void* __VERIFIER_nondet_pointer() { return pointer(); }
MAZUR_NAME char* __VERIFIER_nondet_pchar() { return static_cast<char*>(pointer()); }
MAZUR_NAME char* __VERIFIER_nondet_charp() { return static_cast<char*>(pointer()); }
