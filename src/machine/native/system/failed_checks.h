// Checks of test frameworks that fail (EXPECT_EQ, REQUIRE, ...) as errors where they happen, with
// Request::failed_checks.
//
// The frameworks can stop in a debugger at a failed check, after they have printed it: GoogleTest
// with --gtest_break_on_failure, Catch2 and doctest if a debugger is attached. So they are told that
// one is, and the breakpoint instruction is the error. What they have printed is its message.
// Boost.Test does not stop; but it flushes what it prints about a check, and that is the error.
#pragma once

#include <string>
#include <string_view>

namespace mazur::native {

// Before the snapshot.
void set_up_failed_checks();

// The file that is opened in the place of this one: where programs look for a debugger.
const char* opened_for(const char* path);

// What a framework has printed last about a failed check; or "".
std::string failed_check_in(std::string_view output);

// The same of what this execution has printed; "" without Request::failed_checks.
std::string last_failed_check();

// The program has come to a breakpoint instruction. `context`: the signal's.
[[noreturn]] void breakpoint_hit(bool by_instruction, void* context);

}  // namespace mazur::native
