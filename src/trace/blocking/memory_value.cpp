#include "trace/blocking/memory_value.h"

#include <algorithm>

#include "trace/atomic_block/block.h"
#include "trace/comparison.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// `value` of [object, object + size) with the bytes of the write replaced by what was there before.
std::uint64_t undo(std::uint64_t value, ObjectId object, std::uint32_t size, const Label& write) {
  std::uint64_t result = value;
  for (std::uint32_t i = 0; i < std::min(size, 8u); ++i) {
    const ByteWrite byte = byte_write(write, object + i);
    if (!byte.written) continue;
    result &= ~(std::uint64_t{0xff} << (i * 8));
    result |= std::uint64_t{byte.before} << (i * 8);
  }
  return truncated(result, size);
}

}  // namespace

bool satisfies(std::uint64_t value, const Operation& await) {
  const auto a = static_cast<std::int64_t>(truncated(value, await.size));
  const auto b = static_cast<std::int64_t>(truncated(compared_with(await), await.size));
  return compare(a, await.comparison, b);
}

std::uint64_t value_without(const Trace& trace, EventIndex e, EventIndex f) {
  const Label& read = trace[f].label;
  return undo(read.read, read.object, read.size, trace[e].label);
}

bool await_holds_without(const Trace& trace, EventIndex e, EventIndex f) {
  const Label& await = trace[f].label;
  for (ObjectId object : {await.object, second_location(await)}) {
    if (object == 0) continue;
    const auto value = value_after(trace, object, await.size, f, {}, kNoEvent);
    // The value is unknown only if nobody wrote it. Then e did not change it.
    if (value && !satisfies(undo(*value, object, await.size, trace[e].label), await)) return false;
  }
  return true;
}

std::optional<std::uint64_t> value_after(const HappensBefore& order, ObjectId object,
                                         std::uint32_t size, EventIndex end,
                                         std::span<const EventIndex> left_out, EventIndex last) {
  const Trace& trace = order.trace;
  constexpr std::uint32_t kBytes = 8;
  EventIndex newest[kBytes];
  EventIndex oldest[kBytes];
  std::fill_n(newest, kBytes, kNoEvent);
  std::fill_n(oldest, kBytes, kNoEvent);
  Label range;
  range.kind = OpKind::kLoad;
  range.object = object;
  range.size = std::min(size, kBytes);
  trace.history().conflicts_after(range, kNoEvent, [&](EventIndex x) {
    const Label& write = trace[x].label;
    const bool included = x < end && std::none_of(left_out.begin(), left_out.end(),
                                                  [&](auto d) { return order(d, x); });
    for (std::uint32_t i = 0; i < range.size; ++i) {
      if (!byte_write(write, object + i).written) continue;
      if (oldest[i] == kNoEvent || x < oldest[i]) oldest[i] = x;
      if (included && (newest[i] == kNoEvent || x > newest[i])) newest[i] = x;
    }
    return true;
  });
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < range.size; ++i) {
    if (last != kNoEvent && byte_write(trace[last].label, object + i).written) newest[i] = last;
    std::uint64_t byte;
    if (newest[i] != kNoEvent) {
      byte = byte_write(trace[newest[i]].label, object + i).after;
    } else if (oldest[i] != kNoEvent) {
      byte = byte_write(trace[oldest[i]].label, object + i).before;
    } else {
      return std::nullopt;
    }
    value |= byte << (i * 8);
  }
  return value;
}

}  // namespace mazur
