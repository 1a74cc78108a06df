// What functions that are not safe for threads keep to themselves: strtok, localtime, getenv
// beside setenv. Two threads that use it without order race on it, as on a variable.
#pragma once

#include <cstdint>

#include "machine/native/library/library_call.h"

namespace mazur::native {

// Stands for a variable of the C library. Reports call it by its name.
class StaticState {
 public:
  explicit constexpr StaticState(const char* name) : name_(name) {}

  // To be called in LibraryCall::touches().
  void tell(LibraryCall& call, bool writes);
  // The thread has written it. The value then differs from what another thread would have written.
  void changed();

 private:
  const char* const name_;
  std::uint64_t value_ = 0;
  std::uint64_t execution_ = 0;
};

// A call that touches this state and nothing else of the program's memory.
void tell_state(StaticState& state, const char* function, bool writes, const void* pc);

// Reports call this address by that name.
void name_for_reports(const void* address, const char* name);

}  // namespace mazur::native
