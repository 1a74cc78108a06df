// Finds the instructions by which code takes part in what happens between threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "modules/elf_file.h"

namespace mazur {

struct Instructions {
  // With a lock prefix, exchanges with memory, full fences, transactions.
  std::uint64_t atomic = 0;
  std::uint64_t system_calls = 0;  // syscall, sysenter, int n
  std::uint64_t pauses = 0;        // pause and its kin, which loops that wait for others have
  std::uint64_t undecoded = 0;     // bytes that are no instruction known to the decoder
  // The addresses of atomic instructions except fences, and of system calls: these do something
  // between threads where they stand. Sorted; at most kMostPlaces.
  std::vector<std::uint64_t> places;

  static constexpr std::size_t kMostPlaces = 1u << 16;
  bool none() const { return atomic + system_calls + pauses + undecoded == 0; }
  friend bool operator==(const Instructions&, const Instructions&) = default;
};

// Decodes all of it, one instruction after the other. Constants between functions may be taken for
// instructions. But decoding starts afresh at each of `function_starts`, which are sorted.
Instructions find_instructions(std::span<const ElfFile::Code> code,
                               std::span<const std::uint64_t> function_starts);

// Whether an instruction that belongs into Instructions::places stands there.
bool is_place(std::span<const ElfFile::Code> code, std::uint64_t address);

}  // namespace mazur
