// Which executions of a program there are: the memory models, by name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mazur {

// What each of them allows is written in docs/memory-models.md.
enum class MemoryModel : std::uint8_t { kSc, kTso, kPso, kCpp20 };

// As options, reports and trace files have them.
inline constexpr std::array<std::string_view, 4> kMemoryNames = {"sc", "tso", "pso", "c++20"};
inline constexpr std::string_view memory_name(MemoryModel model) {
  return kMemoryNames[static_cast<std::size_t>(model)];
}

}  // namespace mazur
