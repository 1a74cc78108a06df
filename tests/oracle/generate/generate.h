// Random small programs.
#pragma once

#include <cstdint>

#include "machine/model/program.h"

namespace mazur::model {

struct Shape {
  bool blocks = false;    // with atomic blocks, in most programs
  bool messages = false;  // with messages and tables
  bool parts = false;     // with accesses to parts of variables
  bool observes = false;  // with observed assertions
  bool lives = false;     // objects are initialised and destroyed
  bool retries = false;   // with loops that come back to where they were
  bool looks = false;  // with retries: most of them are single loads, or assume what was just read
  bool spurious = false;  // most programs have spurious wake-ups and failures
  // Three or four threads without branches access a few variables, which have few values: many
  // operations commute.
  bool narrow = false;
  unsigned max_threads = 4;
  unsigned max_operations = 12;  // visible instructions in the text, over all threads
};

// The program with this number: always the same one, always valid. Every other program has no
// operation that can block (but for joins); the others mix a few kinds of blocking objects with
// memory. With messages, all have some.
Program generate(std::uint64_t seed, std::uint64_t number, const Shape& shape = {});

}  // namespace mazur::model
