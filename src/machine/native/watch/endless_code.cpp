#include "machine/native/watch/endless_code.h"

#include <algorithm>
#include <cstring>

namespace mazur::native {
namespace {

constexpr std::uint64_t kCarry = 1 << 0, kParity = 1 << 2, kZero = 1 << 6, kSign = 1 << 7,
                        kOverflow = 1 << 11;
constexpr std::uint64_t kResult = kCarry | kParity | kZero | kSign | kOverflow;

struct Prefixes {
  bool wide = false;   // REX.W: 64 bits
  bool half = false;   // 66: 16 bits
  bool pause = false;  // F3
  bool rex = false;
  unsigned r = 0, b = 0;
};

template <typename T>
T read(const unsigned char*& at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t flags_of(std::uint64_t result, unsigned bits) {
  std::uint64_t flags = result == 0 ? kZero : 0;
  if ((result >> (bits - 1) & 1) != 0) flags |= kSign;
  if (__builtin_parityll(result & 0xff) == 0) flags |= kParity;
  return flags;
}

std::uint64_t flags_of_difference(std::uint64_t a, std::uint64_t b, unsigned bits) {
  const std::uint64_t result = cut(a - b, bits);
  std::uint64_t flags = flags_of(result, bits);
  if (a < b) flags |= kCarry;
  if ((((a ^ b) & (a ^ result)) >> (bits - 1) & 1) != 0) flags |= kOverflow;
  return flags;
}

// The 16 conditions of a jump; odd ones are the opposites of those before.
bool holds(unsigned condition, std::uint64_t flags) {
  const auto set = [flags](std::uint64_t flag) { return (flags & flag) != 0; };
  const bool less = set(kSign) != set(kOverflow);
  bool is = false;
  switch (condition >> 1) {
    case 0:
      is = set(kOverflow);
      break;
    case 1:
      is = set(kCarry);
      break;
    case 2:
      is = set(kZero);
      break;
    case 3:
      is = set(kCarry) || set(kZero);
      break;
    case 4:
      is = set(kSign);
      break;
    case 5:
      is = set(kParity);
      break;
    case 6:
      is = less;
      break;
    default:
      is = less || set(kZero);
  }
  return is != ((condition & 1) != 0);
}

Prefixes read_prefixes(const unsigned char*& at) {
  Prefixes p;
  for (;; ++at) {
    if (*at == 0x66)
      p.half = true;
    else if (*at == 0xf3)
      p.pause = true;
    else
      break;
  }
  if ((*at & 0xf0) == 0x40) {
    p.rex = true;
    p.wide = (*at & 8) != 0;
    p.r = (*at & 4) != 0 ? 8 : 0;
    p.b = (*at & 1) != 0 ? 8 : 0;
    ++at;
  }
  return p;
}

// Passes over the bytes of an address.
void pass_over_address(const unsigned char*& at) {
  const unsigned char mode = *at++;
  if (mode >> 6 != 3 && (mode & 7) == 4) {
    const unsigned char scaled = *at++;
    if (mode >> 6 == 0 && (scaled & 7) == 5) at += 4;
  } else if (mode >> 6 == 0 && (mode & 7) == 5) {
    at += 4;
  }
  if (mode >> 6 == 1) at += 1;
  if (mode >> 6 == 2) at += 4;
}

// A comparison of registers, with each other or with a number; `at` is behind its first byte.
// Without REX the upper four registers of 8 bits are parts of others: these are left undecided.
bool step_over_comparison(CodeState& state, const Prefixes& p, unsigned char code,
                          const unsigned char* at) {
  const bool bytes = (code & 1) == 0;
  const unsigned bits = bytes ? 8 : p.wide ? 64 : p.half ? 16 : 32;
  const auto compare = [&](std::uint64_t a, std::uint64_t b) {
    state.flags &= ~kResult;
    state.flags |= flags_of_difference(cut(a, bits), cut(b, bits), bits);
    state.at = at;
    return true;
  };
  const auto number = [&]() -> std::uint64_t {
    if (bits == 8) return static_cast<std::uint64_t>(std::int64_t{read<std::int8_t>(at)});
    if (bits == 16) return static_cast<std::uint64_t>(std::int64_t{read<std::int16_t>(at)});
    return static_cast<std::uint64_t>(std::int64_t{read<std::int32_t>(at)});
  };
  if (code == 0x3c || code == 0x3d) {
    const std::uint64_t value = number();
    return compare(state.registers[0], value);
  }
  const bool tests = code == 0x84 || code == 0x85;
  const bool compares = code >= 0x38 && code <= 0x3b;
  const bool immediate = code == 0x80 || code == 0x81 || code == 0x83;
  if (!tests && !compares && !immediate) return false;
  const unsigned char mode = *at++;
  if (mode >> 6 != 3) return false;
  const unsigned first = (mode & 7) | p.b, second = (mode >> 3 & 7) | p.r;
  const auto split = [&](unsigned n) { return bytes && !p.rex && n >= 4; };
  if (split(first) || (!immediate && split(second))) return false;
  const std::uint64_t a = state.registers[first], b = state.registers[second];
  if (tests) {
    state.flags &= ~kResult;
    state.flags |= flags_of(cut(a & b, bits), bits);
    state.at = at;
    return true;
  }
  if (compares) return code < 0x3a ? compare(a, b) : compare(b, a);
  if ((mode >> 3 & 7) != 7) return false;
  const std::uint64_t value =
      code == 0x83 ? static_cast<std::uint64_t>(std::int64_t{read<std::int8_t>(at)}) : number();
  return compare(a, value);
}

// One instruction. Returns false if it is not known to change nothing but flags.
bool step(CodeState& state) {
  const unsigned char* at = state.at;
  const Prefixes p = read_prefixes(at);
  const unsigned char code = *at++;
  const auto jump = [&](bool taken, std::int64_t distance) {
    state.at = taken ? at + distance : at;
    return true;
  };
  if (code == 0x90 && p.b == 0) return jump(false, 0);  // also pause
  if (code == 0xeb) return jump(true, read<std::int8_t>(at));
  if (code == 0xe9 && !p.half) return jump(true, read<std::int32_t>(at));
  if ((code & 0xf0) == 0x70) return jump(holds(code & 15, state.flags), read<std::int8_t>(at));
  if (code == 0x0f) {
    const unsigned char second = *at++;
    if ((second & 0xf0) == 0x80 && !p.half)
      return jump(holds(second & 15, state.flags), read<std::int32_t>(at));
    if (second != 0x1f) return false;
    pass_over_address(at);  // a longer instruction that does nothing
    return jump(false, 0);
  }
  return step_over_comparison(state, p, code, at);
}

}  // namespace

const unsigned char* endless_loop_at(CodeState state) {
  constexpr unsigned kLongest = 32;  // instructions of a loop, and as many before it
  for (unsigned i = 0; i < kLongest; ++i)
    if (!step(state)) return nullptr;
  // Registers never change, so the place and the flags are the whole state.
  const CodeState start = state;
  const unsigned char* lowest = start.at;
  for (unsigned i = 0; i < kLongest; ++i) {
    if (!step(state)) return nullptr;
    if (state.at == start.at && state.flags == start.flags) return lowest;
    lowest = std::min(lowest, state.at);
  }
  return nullptr;
}

}  // namespace mazur::native
