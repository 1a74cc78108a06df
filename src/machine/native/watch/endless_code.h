// Code that goes round in a loop without any effect: `while (1);`, and what a compiler makes of
// `while (!flag);` when it has read the flag only once.
#pragma once

#include <cstdint>

namespace mazur::native {

// What the next instructions depend on, as a signal found it.
struct CodeState {
  const unsigned char* at = nullptr;
  std::uint64_t registers[16] = {};  // in the order in which instructions number them
  std::uint64_t flags = 0;
};

// The loop that a thread in this state stays in for ever without changing memory or registers: its
// lowest address, which is the same wherever in the loop it is. Null if there is no such loop.
// Decides by following the instructions one by one: jumps, comparisons of registers, and those that
// do nothing. It gives up at any other instruction, so what it finds is proved.
const unsigned char* endless_loop_at(CodeState state);

}  // namespace mazur::native
