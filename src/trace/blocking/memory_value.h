// Values of memory at points of a trace, from the labels of its writes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "trace/trace.h"

namespace mazur {

// The low `size` bytes.
inline std::uint64_t truncated(std::uint64_t value, std::uint32_t size) {
  return size >= 8 ? value : value & ((std::uint64_t{1} << (size * 8)) - 1);
}

// Whether a value satisfies an await.
bool satisfies(std::uint64_t value, const Operation& await);

// What f, which reads memory, would have read without the write e, with which it races.
std::uint64_t value_without(const Trace& trace, EventIndex e, EventIndex f);

// Whether the executed await f was also enabled without the write e, with which it races.
bool await_holds_without(const Trace& trace, EventIndex e, EventIndex f);

// The value of [object, object + size), size <= 8, after some of the events before `end`, followed
// by `last` unless that is kNoEvent. Those in `left_out` are missing, and what happens after them.
// Empty if the trace does not tell.
std::optional<std::uint64_t> value_after(const HappensBefore& order, ObjectId object,
                                         std::uint32_t size, EventIndex end,
                                         std::span<const EventIndex> left_out, EventIndex last);

// The same in the trace's own order.
inline std::optional<std::uint64_t> value_after(const Trace& trace, ObjectId object,
                                                std::uint32_t size, EventIndex end,
                                                std::span<const EventIndex> left_out,
                                                EventIndex last) {
  return value_after(HappensBefore{trace, trace.clocks()}, object, size, end, left_out, last);
}

}  // namespace mazur
