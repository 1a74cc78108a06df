// Random small dlang programs, as text.
#pragma once

#include <cstdint>
#include <string>

namespace mazur::dlang {

// The program with this number: always the same one, always valid. Some fail assertions, divide by
// zero, leave arrays, misuse mutexes or deadlock.
std::string generate(std::uint64_t number);

}  // namespace mazur::dlang
