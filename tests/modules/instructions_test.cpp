#include "modules/instructions.h"

#include <gtest/gtest.h>

#include <string>

namespace mazur {
namespace {

using namespace std::string_literals;

constexpr std::uint64_t kAddress = 0x1000;

Instructions find(const std::string& bytes, std::vector<std::uint64_t> starts = {}) {
  const ElfFile::Code code{kAddress, bytes};
  return find_instructions({&code, 1}, starts);
}

TEST(Instructions, OrdinaryCodeHasNone) {
  // push rbp; mov rbp, rsp; xchg eax, ecx (registers); nop; cmpxchg [rdi], esi (no lock); sfence;
  // lfence; rdtsc; pop rbp; ret
  const Instructions found =
      find("\x55\x48\x89\xe5\x91\x90\x0f\xb1\x37\x0f\xae\xf8\x0f\xae\xe8\x0f\x31\x5d\xc3"s);
  EXPECT_TRUE(found.none());
  EXPECT_TRUE(found.places.empty());
}

TEST(Instructions, ALockPrefixAndAnExchangeWithMemoryAreAtomic) {
  // nop; lock cmpxchg [rdi], esi; xchg [rdi], eax; xchg ecx, edx (registers)
  const Instructions found = find("\x90\xf0\x0f\xb1\x37\x87\x07\x87\xca"s);
  EXPECT_EQ(found.atomic, 2u);
  EXPECT_EQ(found.places, (std::vector<std::uint64_t>{kAddress + 1, kAddress + 5}));
}

TEST(Instructions, AFenceCountsButDoesNothingWhereItStands) {
  const Instructions found = find("\x0f\xae\xf0"s);  // mfence
  EXPECT_EQ(found.atomic, 1u);
  EXPECT_TRUE(found.places.empty());
}

TEST(Instructions, SystemCallsAndPausesAreFound) {
  // syscall; sysenter; int 0x80; pause; int3, which is none
  const Instructions found = find("\x0f\x05\x0f\x34\xcd\x80\xf3\x90\xcc"s);
  EXPECT_EQ(found.system_calls, 3u);
  EXPECT_EQ(found.pauses, 1u);
  EXPECT_EQ(found.atomic, 0u);
  EXPECT_EQ(found.places.size(), 3u);
}

TEST(Instructions, BytesOfAnOperandAreNoInstruction) {
  const Instructions found = find("\x48\xb8\xf0\x0f\xb1\x37\x0f\x05\x0f\x05"s);  // mov rax, ...
  EXPECT_TRUE(found.none());
}

TEST(Instructions, AFunctionIsDecodedFromItsStart) {
  // A constant in front of the function swallows its first instruction, a syscall.
  const std::string bytes = "\x48\xb8\x01\x02\x0f\x05\xc3\x90\x90\x90\x90"s;
  EXPECT_EQ(find(bytes).system_calls, 0u);
  EXPECT_EQ(find(bytes, {kAddress + 4}).system_calls, 1u);
}

TEST(Instructions, WhatIsNoInstructionIsCounted) {
  const Instructions found = find("\x06\x90"s);  // push es does not exist in 64-bit code
  EXPECT_EQ(found.undecoded, 1u);
  EXPECT_FALSE(found.none());
}

TEST(Instructions, APlaceIsAnInstructionThatStandsThere) {
  const std::string bytes = "\x90\xf0\xff\x07\x0f\x05"s;  // nop; lock inc [rdi]; syscall
  const ElfFile::Code code{kAddress, bytes};
  for (std::uint64_t i = 0; i < 8; ++i)
    EXPECT_EQ(is_place({&code, 1}, kAddress + i), i == 1 || i == 4) << i;
  EXPECT_FALSE(is_place({&code, 1}, kAddress - 1));
}

}  // namespace
}  // namespace mazur
