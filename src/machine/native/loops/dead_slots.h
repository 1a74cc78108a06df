// What a thread will overwrite before it reads it: without optimisation, compilers keep in their frame
// (or a register) what an operation has returned, and the next round of a loop writes it anew.
//
// The code is followed from where the thread goes on, up to the first instruction that is not
// understood, or that may jump. What was written on the way before it was read is dead; everything
// else counts as live. docs/waiting.md says why dead bytes need not be compared.
#pragma once

#include <cstdint>
#include <vector>

namespace mazur::native {

struct DeadSlots {
  struct Bytes {
    std::int32_t begin;  // from the frame pointer (rbp) on
    std::int32_t end;
  };
  std::vector<Bytes> slots;     // sorted, apart from each other
  std::uint32_t registers = 0;  // bit n: register n, as instructions number them
};

// `is_quiet(f)`: a function at this address reads nothing of its caller's frame, whatever address it
// gets, and lets no other thread run.
DeadSlots dead_slots_at(const unsigned char* code, bool (*is_quiet)(std::uint64_t function));

}  // namespace mazur::native
