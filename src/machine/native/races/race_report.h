// From a conflict in the shadow memory to an error with both sides.
//
// The shadow knows only the thread, the time and the kind of the earlier access. A conflict that is
// met for the first time between two places is therefore a candidate: when its step is over, the
// machine runs the schedule up to there once more (NativeMachine::look_again), and this time the
// earlier access is watched for and its call stack noted. With both stacks known, suppressions are
// asked; the answer for this pair of places holds for the rest of the session.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/machine.h"
#include "machine/native/races/shadow.h"

namespace mazur::native {

// The thread of an operation whose access is looked at only after the operation has returned: the
// call stack is that of the event. Null: the access is that of the running code.
extern const Fiber* late_access_of;

// The C library's function that does the access at hand, or null: the program does it itself.
extern const char* inside_function;

// The shadow found this. A race is noted and the thread goes on; an access to marked memory ends
// the thread (and returns only if the thread is not running).
void met_race(const Access& access, Record64 earlier, std::uint32_t earlier_pc);
void met_mark(const Access& access, std::uintptr_t granule, Record64 mark, std::uint32_t pc);
// The access is to a local variable of a thread that has ended.
[[noreturn]] void met_dead_stack(const Access& access, ThreadId owner);
// The block is freed once more. The other side is the first free().
[[noreturn]] void fail_second_free(const void* block, std::size_t size, const void* pc);

// Memory is lost: `count` blocks with `bytes` bytes in all, of which this is one. Its other side is
// its allocation.
void met_leak(std::uintptr_t block, std::size_t size, std::size_t count, std::size_t bytes);
void watch_allocation(const void* block);

// Between steps.
bool has_candidates();
// The machine runs the schedule again: accesses are compared with the candidates'.
extern bool watching;
void watch_access(const Access& access);
// What became of the candidates: the first error among them, or null.
const Failure* judge_candidates();
// An error that was found in the same step as another one and not told yet, or null.
const Failure* untold_failure();
void forget_candidates();
// The next conflict of every pair of places is looked at as if it were the first.
void forget_pairs();

}  // namespace mazur::native
