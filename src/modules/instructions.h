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
  std::uint64_t pauses = 0;     // pause and its kin: what a loop that waits for others is made of
  std::uint64_t undecoded = 0;  // bytes that are no instruction known to the decoder
  // The addresses of those that do something between threads where they stand: atomic ones except
  // fences, and system calls. Sorted; at most kMostPlaces.
  std::vector<std::uint64_t> places;

  static constexpr std::size_t kMostPlaces = 1u << 16;
  bool none() const { return atomic + system_calls + pauses + undecoded == 0; }
  friend bool operator==(const Instructions&, const Instructions&) = default;
};

// Decodes all of it, one instruction after the other. Constants between functions may be taken for
// instructions, but decoding starts afresh where `function_starts` (sorted) say a function begins.
Instructions find_instructions(std::span<const ElfFile::Code> code,
                               std::span<const std::uint64_t> function_starts);

// Whether an instruction that belongs into Instructions::places stands there.
bool is_place(std::span<const ElfFile::Code> code, std::uint64_t address);

}  // namespace mazur
