// Which executions of a program there are: the memory models, by name.
#pragma once

#include <cstdint>

namespace mazur {

// What each of them allows is written in docs/memory-models.md.
enum class MemoryModel : std::uint8_t { kSc, kTso, kPso, kCpp20 };

}  // namespace mazur
