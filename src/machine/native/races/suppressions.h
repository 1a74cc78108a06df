// Races that are known and not to be reported: ThreadSanitizer's suppressions.
//
// A line is `type:pattern`; `#` begins a comment. Of the types, race (any function, file or object
// of either stack), race_top (only the innermost frames) and called_from_lib (the library whose
// code made the access) are about races; the others are accepted and mean nothing. In a pattern `*`
// stands for anything, `^` and `$` for the beginning and the end.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace mazur::native {

// Adds the lines of a text.
void add_suppressions(std::string_view lines);
// Adds those of a file; ends the process with a message if it cannot be read.
void read_suppressions(const char* path);

// Whether the race between these two call stacks (innermost first) is to be left out. Scheduler
// context.
bool is_suppressed(std::span<const std::uint64_t> later, std::span<const std::uint64_t> earlier);

}  // namespace mazur::native
