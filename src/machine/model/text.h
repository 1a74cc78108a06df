// The text form of model programs, for reports and for tests:
//
//   variables 0 7            initial values; likewise semaphores (counts), barriers (capacities),
//   mutexes 2                and for the other classes how many there are
//   thread
//     0: load r0 x1          the number before the colon is for the reader
//     1: if r0 != 7 goto 3
//     2: store x0[r1] r0+1
//     3: lock m0             x variable, m mutex, w rwlock, c condition, s semaphore, b barrier,
//     4: send q1 7 0         o once, q mailbox, k key of a table
//   thread spawned
//     0: await x0 >= 2
//     1: receive r0 -1       from the thread's own mailbox
//
// '#' starts a comment. parse(print(p)) == p for every program p in which unused fields are
// default.
#pragma once

#include <string>
#include <string_view>

#include "machine/model/program.h"

namespace mazur::model {

std::string print(const Program& program);
std::string print(const Instruction& instruction);

// Throws std::invalid_argument, with the number of the line, for text that is no valid program.
Program parse(std::string_view text);

}  // namespace mazur::model
