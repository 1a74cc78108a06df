// Inputs of SV-COMP programs, __VERIFIER_nondet_*: what verifier_names.cpp calls.
//
// Enabled:    always.
// Does:       returns one of its outcomes. A type of at most 8 bits has all its values; a wider
//             integer has those of --nondet that fit into its type. Without --nondet, and for
//             floating-point numbers and pointers, there are a few values, and the check is told
//             that not all were tried.
// Depends on: nothing.
#include <algorithm>
#include <cfloat>
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/runtime.h"

using namespace mazur;
using namespace mazur::native;

namespace {

void not_all_are_tried() { runtime.channel->sampled.store(1, std::memory_order_relaxed); }

// One of `values`, as bits in the label.
std::uint64_t one_of(const std::uint64_t* values, std::size_t count, const void* pc) {
  if (count == 1) return values[0];
  Label& label = visible({.kind = OpKind::kChoose, .value = count}, pc, {.ways = ways_of_choice});
  label.written = values[chosen()];
  return values[chosen()];
}

std::uint64_t in_range(std::int64_t lowest, std::uint64_t count, const void* pc) {
  if (count == 1) return static_cast<std::uint64_t>(lowest);
  Label& label = visible({.kind = OpKind::kChoose, .value = count}, pc, {.ways = ways_of_choice});
  label.written = static_cast<std::uint64_t>(lowest) + chosen();
  return label.written;
}

}  // namespace

// An integer of so many bits.
MAZUR_EXPORT unsigned long long mazur_runtime_nondet_integer(unsigned bits, int is_signed) {
  if (!in_execution()) return 0;
  const Request& request = runtime.channel->request;
  const bool wide = bits >= 64;
  const std::uint64_t all_ones = wide ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t highest = is_signed != 0 ? all_ones >> 1 : all_ones;
  const std::uint64_t lowest = is_signed != 0 ? ~highest : 0;  // sign-extended
  if (request.nondet_given != 0) {
    // The part of the range that the type has. Only a 64-bit unsigned has values beyond int64_t.
    const auto top = static_cast<std::int64_t>(std::min<std::uint64_t>(highest, INT64_MAX));
    const std::int64_t low = std::max(request.nondet_lowest, static_cast<std::int64_t>(lowest));
    const std::int64_t high = std::min(request.nondet_highest, top);
    if (low <= high) return in_range(low, static_cast<std::uint64_t>(high - low) + 1, MAZUR_CALLER);
  } else if (bits <= 8) {
    return in_range(static_cast<std::int64_t>(lowest), all_ones + 1, MAZUR_CALLER);
  }
  not_all_are_tried();
  if (is_signed != 0) {
    const std::uint64_t values[] = {0, 1, ~std::uint64_t{0}, 2, highest, lowest};
    return one_of(values, std::size(values), MAZUR_CALLER);
  }
  const std::uint64_t values[] = {0, 1, 2, highest};
  return one_of(values, std::size(values), MAZUR_CALLER);
}

MAZUR_EXPORT double mazur_runtime_nondet_floating(double largest) {
  if (!in_execution()) return 0;
  not_all_are_tried();
  const double values[] = {0, 1, -1, 0.5, largest, -largest};
  std::uint64_t bits[std::size(values)];
  static_assert(sizeof bits == sizeof values);
  std::memcpy(bits, values, sizeof bits);
  const std::uint64_t chosen_bits = one_of(bits, std::size(bits), MAZUR_CALLER);
  double value;
  std::memcpy(&value, &chosen_bits, sizeof value);
  return value;
}

// Null, or an address that nothing lies at.
MAZUR_EXPORT void* mazur_runtime_nondet_pointer() {
  if (!in_execution()) return nullptr;
  not_all_are_tried();
  const std::uint64_t values[] = {0, 16};
  return reinterpret_cast<void*>(one_of(values, std::size(values), MAZUR_CALLER));
}
