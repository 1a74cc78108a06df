// Virtual time, for everything that has a deadline (clock.cpp says what it is).
#pragma once

#include <time.h>

#include <cstdint>

namespace mazur::native {

inline constexpr std::int64_t kSecond = 1'000'000'000;

// Whether the nanoseconds are in range; calls with a deadline answer EINVAL otherwise.
inline bool valid(const timespec& time) { return time.tv_nsec >= 0 && time.tv_nsec < kSecond; }

// In nanoseconds, saturated: a deadline centuries away is as good as any.
std::int64_t nanoseconds(const timespec& time);

// What the running thread's clock shows; reading it does not make it go on.
std::int64_t now(clockid_t clock);

// Moves the running thread's clock on: by a duration, or until a deadline has passed.
void let_pass(std::int64_t duration);
void let_pass_until(clockid_t clock, const timespec& deadline);

// The running thread's clock as the answer to rdtsc, which is a read of the clock.
std::uint64_t virtual_counter();

// A sleep or a yield of the running thread, as an event.
void yield_event(const void* pc);

}  // namespace mazur::native
