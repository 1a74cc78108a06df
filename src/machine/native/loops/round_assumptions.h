// What the judging of rounds (waiting_loop.h) relies on, as far as the executions so far can tell.
// When it turns out to be wrong, the exploration begins again.
//
//   - Which bytes of a thread's stack other threads look at. A loop may write to its stack as it
//     likes, if the stack is in the end what it was. But a round that takes and gives back locks can
//     show others what lies there meanwhile.
//   - That nobody writes plainly to, or frees, what rounds in vain have read with atomic
//     operations, unless all other threads have been joined. Then no such read can be in a data race.
#pragma once

#include <cstddef>
#include <cstdint>

#include "protocol/slice.h"

namespace mazur::native {

// A thread accesses the stack of another one.
void note_foreign_access(std::uintptr_t address, std::size_t size);
// Whether there is any, and whether this is one.
extern bool stacks_are_looked_at;
bool is_looked_at(std::uintptr_t address);
// A round with locks was judged by what is known now.
void rely_on_hidden_stacks();

// A thread has stopped after a round that read this. False: such reads may be in a race.
bool rely_on_atomics(std::uintptr_t address, std::size_t size);
extern bool atomics_are_relied_on;
// Whether that, or the same is assumed of looks (native_looks.h).
extern bool plain_changes_matter;
// Somebody writes plainly, or frees. Only if atomics_are_relied_on.
void note_plain_change(std::uintptr_t address, std::size_t size);

// Whether the exploration has to begin again, and that it does. `give_up`: too often already, so
// nothing is assumed any more.
bool assumptions_failed();
void assume_again(bool give_up);

// What is known of this, for other processes that explore the same program; and what they know, in
// addition to what is known here.
void add_round_knowledge(SharedKnowledge& known);
void take_round_knowledge(const SharedKnowledge& known);

}  // namespace mazur::native
