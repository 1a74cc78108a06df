// The wish that an exploration ends, heard inside of long computations.
//
// Whoever has a clock or hears a Ctrl-C (a signal handler) sets `stop_wish`; nobody takes it back
// while an exploration runs. What can take long calls stop_if_wished() in its loops and is left by
// an exception, which the loop over executions catches (check/loop.cpp). What is left that way is
// not used again.
#pragma once

#include <atomic>

namespace mazur {

inline std::atomic<bool> stop_wish{false};
// Grows several times in a second while somebody watches the clock.
inline std::atomic<unsigned> clock_ticks{0};

struct Stopped {};

inline bool stop_wished() { return stop_wish.load(std::memory_order_relaxed); }
inline void stop_if_wished() {
  if (__builtin_expect(stop_wished(), 0)) throw Stopped{};
}

}  // namespace mazur
