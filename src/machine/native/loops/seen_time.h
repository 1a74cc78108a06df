// Rounds of loops in which time passes (waiting_loop.h): they sleep, or wait until a timeout strikes. A
// thread that makes such a round in vain stops as after any other. If no thread ever looks at a clock,
// nobody can tell. If somebody does, the verdict is no proof (Machine::leaves_out_time). What main
// looks at before it has created a thread does not count: no round in vain comes before that.
//
// Functions of libstdc++ that wait for a duration look at steady_clock to make a deadline of it, and do
// nothing else with it. This is no look. Such a read always shows the same time, so that rounds are
// comparable, and the deadline is understood from there. It is known by the function's name in the
// debug information.
#pragma once

#include <cstdint>

#include "protocol/slice.h"

namespace mazur::native {

struct Fiber;

// What reads for deadlines show, in nanoseconds. Nobody lives to see it by other means.
inline constexpr std::int64_t kDeadlineBase = 2'000'000'000'000'000'000;

enum class ClockRead : std::uint8_t {
  kLook,
  kDeadline,  // for a deadline alone
  kUnknown,   // shows the time; the exploration begins again if it was for a deadline
};
// What a call of steady_clock::now() is that will return to `pc`.
ClockRead clock_read_at(const void* pc);

// The running thread looks at a clock.
void note_time_seen();
// Its time goes on because of a sleep or a timeout.
void note_time_passes();
// A thread stops after rounds in vain. `repetition`: others' rounds are left out, too.
void note_rounds_left_out(const Fiber& fiber, bool repetition);
void reset_passed_time();  // a new execution

// Whether the exploration has to begin again, and that it does. `give_up`: then every read is a look.
// Scheduler context.
bool clock_reads_changed();
void read_clocks_again(bool give_up);

// As in round_assumptions.h.
void add_time_knowledge(SharedKnowledge& known);

}  // namespace mazur::native
