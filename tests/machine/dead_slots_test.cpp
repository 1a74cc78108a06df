// What a thread overwrites before it reads it, from the instructions that follow.
#include "machine/native/loops/dead_slots.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace mazur::native {
namespace {

constexpr unsigned kRbx = 3, kR12 = 12;

extern "C" void dead_slots_test_hook() {}
bool is_hook(std::uint64_t function) {
  return function == reinterpret_cast<std::uint64_t>(&dead_slots_test_hook);
}

// What is dead before some code, as "begin..end" of slots.
class Dead {
 public:
  explicit Dead(std::vector<unsigned char> code) {
    code.resize(code.size() + 32, 0xcc);  // behind it: something that is not understood
    const DeadSlots dead = dead_slots_at(code.data(), is_hook);
    for (const DeadSlots::Bytes& bytes : dead.slots)
      slots += std::to_string(bytes.begin) + ".." + std::to_string(bytes.end) + " ";
    registers = dead.registers;
  }
  bool has(unsigned number) const { return (registers >> number & 1) != 0; }
  std::string slots;
  std::uint32_t registers = 0;
};

TEST(DeadSlots, WhatIsWrittenFirstIsDead) {
  EXPECT_EQ(Dead({0x89, 0x45, 0xe4}).slots, "-28..-24 ");        // mov [rbp-28], eax
  EXPECT_EQ(Dead({0x48, 0x89, 0x45, 0xe0}).slots, "-32..-24 ");  // mov [rbp-32], rax
  EXPECT_EQ(Dead({0x88, 0x45, 0xff}).slots, "-1..0 ");           // mov [rbp-1], al
  // mov [rbp-40], 0
  EXPECT_EQ(Dead({0xc7, 0x45, 0xd8, 0, 0, 0, 0}).slots, "-40..-36 ");
  // mov [rbp-300], eax
  EXPECT_EQ(Dead({0x89, 0x85, 0xd4, 0xfe, 0xff, 0xff}).slots, "-300..-296 ");
  EXPECT_TRUE(Dead({0x89, 0xc3}).has(kRbx));              // mov ebx, eax
  EXPECT_TRUE(Dead({0x41, 0x89, 0xc4}).has(kR12));        // mov r12d, eax
  EXPECT_TRUE(Dead({0x8b, 0x5d, 0xf0}).has(kRbx));        // mov ebx, [rbp-16]
  EXPECT_TRUE(Dead({0x31, 0xdb}).has(kRbx));              // xor ebx, ebx
  EXPECT_TRUE(Dead({0xbb, 1, 0, 0, 0}).has(kRbx));        // mov ebx, 1
  EXPECT_TRUE(Dead({0x0f, 0xb6, 0xd8}).has(kRbx));        // movzx ebx, al
  EXPECT_TRUE(Dead({0x48, 0x8d, 0x5d, 0xf0}).has(kRbx));  // lea rbx, [rbp-16]
}

TEST(DeadSlots, WhatIsReadFirstIsLive) {
  // mov ebx, [rbp-28]; mov [rbp-28], eax
  EXPECT_EQ(Dead({0x8b, 0x5d, 0xe4, 0x89, 0x45, 0xe4}).slots, "");
  // mov [rbp-28], ebx; mov ebx, eax
  const Dead stored({0x89, 0x5d, 0xe4, 0x89, 0xc3});
  EXPECT_EQ(stored.slots, "-28..-24 ");
  EXPECT_FALSE(stored.has(kRbx));
  // cmp [rbp-28], eax; mov [rbp-28], eax
  EXPECT_EQ(Dead({0x39, 0x45, 0xe4, 0x89, 0x45, 0xe4}).slots, "");
  // Half of it: movzx eax, byte [rbp-26]; mov [rbp-28], ebx
  EXPECT_EQ(Dead({0x0f, 0xb6, 0x45, 0xe6, 0x89, 0x5d, 0xe4}).slots, "-28..-26 -25..-24 ");
  // A byte of a register leaves the rest: mov bl, [rbp-1]; mov ebx, eax
  EXPECT_FALSE(Dead({0x8a, 0x5d, 0xff, 0x89, 0xc3}).has(kRbx));
  // mov [rbp-1], bh; mov ebx, eax
  EXPECT_FALSE(Dead({0x88, 0x7d, 0xff, 0x89, 0xc3}).has(kRbx));
  // cmp ebx, 5; mov ebx, eax
  EXPECT_FALSE(Dead({0x83, 0xfb, 5, 0x89, 0xc3}).has(kRbx));
  // lea rax, [rbx+r12*4]; mov ebx, eax; mov r12d, eax
  const Dead address({0x4a, 0x8d, 0x04, 0xa3, 0x89, 0xc3, 0x41, 0x89, 0xc4});
  EXPECT_FALSE(address.has(kRbx));
  EXPECT_FALSE(address.has(kR12));
}

TEST(DeadSlots, NothingIsKnownBehindWhatIsNotUnderstood) {
  const std::vector<std::vector<unsigned char>> unknown = {
      {0x8b, 0x00},                    // mov eax, [rax]: may be a slot
      {0x8b, 0x44, 0x24, 0x10},        // mov eax, [rsp+16]
      {0x8b, 0x44, 0x85, 0xf0},        // mov eax, [rbp+rax*4-16]
      {0x41, 0x8b, 0x45, 0xf0},        // mov eax, [r13-16]
      {0x89, 0x00},                    // mov [rax], eax
      {0x74, 0x00},                    // je
      {0xeb, 0x00},                    // jmp
      {0xc3},                          // ret
      {0x66, 0x90},                    // a prefix
      {0xf0, 0x0f, 0xb1, 0x0a},        // lock cmpxchg [rdx], ecx
      {0x48, 0x89, 0xc5},              // mov rbp, rax
      {0x48, 0x89, 0xc4},              // mov rsp, rax
      {0x40, 0x88, 0xc5},              // mov bpl, al
      {0x01, 0x5d, 0xe4},              // add [rbp-28], ebx
      {0x31, 0xd8},                    // xor eax, ebx
      {0x83, 0x45, 0xe4, 1},           // add [rbp-28], 1
      {0xff, 0xd0},                    // call rax
      {0xff, 0x75, 0xe4},              // push [rbp-28]
      {0x0f, 0x29, 0x45, 0xe0},        // movaps [rbp-32], xmm0
      {0xe8, 0x00, 0x00, 0x00, 0x00},  // call of what follows
  };
  for (std::vector<unsigned char> code : unknown) {
    const int first = code.front();
    code.insert(code.end(), {0x89, 0x45, 0xe4, 0x89, 0xc3});  // mov [rbp-28], eax; mov ebx, eax
    const Dead dead(code);
    EXPECT_EQ(dead.slots, "") << first;
    EXPECT_FALSE(dead.has(kRbx)) << first;
  }
}

TEST(DeadSlots, DataIsNoStackAndQuietFunctionsReadNoFrame) {
  // mov eax, [rip+n]; mov [rbp-28], eax
  EXPECT_EQ(Dead({0x8b, 0x05, 1, 2, 3, 4, 0x89, 0x45, 0xe4}).slots, "-28..-24 ");
  // call next; ...: jmp [rip+2] there, then the address of the function.
  const auto calling = [](std::uint64_t function, bool through_table) {
    std::vector<unsigned char> code = {0xe8, 3, 0, 0, 0, 0x89, 0x45, 0xe4};
    const std::vector<unsigned char> entry = {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0, 0, 0, 0};
    if (!through_table) code = {0xff, 0x15, 3, 0, 0, 0, 0x89, 0x45, 0xe4};
    if (through_table) code.insert(code.end(), entry.begin(), entry.end());
    for (int i = 0; i < 8; ++i) code.push_back(static_cast<unsigned char>(function >> (8 * i)));
    return Dead(code).slots;
  };
  const auto hook = reinterpret_cast<std::uint64_t>(&dead_slots_test_hook);
  for (const bool through_table : {false, true}) {
    EXPECT_EQ(calling(hook, through_table), "-28..-24 ");
    EXPECT_EQ(calling(hook + 1, through_table), "");
  }
}

}  // namespace
}  // namespace mazur::native
