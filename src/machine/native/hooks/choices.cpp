// What include/mazur/mazur.h declares.
//
// choose, nondet: always enabled; each of the outcomes is explored; depends on nothing. assume:
// holds, or its thread never goes on; depends on nothing. yield: as sched_yield. observe: a load
// that orders nothing and races with nothing. Names are in names.cpp.
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/loops/native_looks.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/system/property.h"
#include "trace/comparison.h"

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT unsigned mazur_runtime_choose(unsigned ways) {
  if (!in_execution() || ways < 2) return 0;
  if (ways > 0xffff) unsupported("choosing between more than 65535 outcomes", MAZUR_CALLER);
  Label& label =
      visible({.kind = OpKind::kChoose, .value = ways}, MAZUR_CALLER, {.ways = ways_of_choice});
  label.written = chosen();
  return chosen();
}

MAZUR_EXPORT void mazur_runtime_assume(int condition) {
  if (!in_execution() || condition != 0) return;
  note_failed_assume();
  stop_for_good(MAZUR_CALLER);
}

MAZUR_EXPORT long long mazur_runtime_nondet(long long lowest, long long highest) {
  if (highest < lowest)
    fail(FailureKind::kAbort, "mazur_nondet(%lld, %lld): the range is empty", lowest, highest);
  const auto count = static_cast<unsigned long long>(highest) -
                     static_cast<unsigned long long>(lowest);  // less one
  if (!in_execution() || count == 0) return lowest;
  if (count >= 0xffff) unsupported("choosing between more than 65535 outcomes", MAZUR_CALLER);
  Label& label = visible({.kind = OpKind::kChoose, .value = count + 1}, MAZUR_CALLER,
                         {.ways = ways_of_choice});
  label.written = static_cast<std::uint64_t>(lowest) + chosen();
  return static_cast<long long>(label.written);
}

MAZUR_EXPORT void mazur_runtime_yield() {
  if (in_execution()) visible({.kind = OpKind::kYield}, MAZUR_CALLER);
}

MAZUR_EXPORT void mazur_runtime_assert_failed(const char* condition, const char* file,
                                              unsigned line, const char* function) {
  if (line == 0) verifier_function_called(condition);
  fail(FailureKind::kAssertion, "assertion failed: %s (%s:%u, %s)", condition, file, line,
       function);
}

// Whether comparing the integer with the value has one of the outcomes (a sum of 1: less, 2: equal,
// 4: greater). It is one event, and the thread learns nothing else from it.
MAZUR_NOTE_ENTRY(mazur_runtime_observe)
extern "C" __attribute__((visibility("hidden"), used)) int mazur_in_mazur_runtime_observe(
    const volatile void* object, unsigned size, int is_signed, unsigned outcomes, long long value) {
  if (size != 1 && size != 2 && size != 4 && size != 8)
    unsupported("observing an object that is no integer", MAZUR_CALLER);
  // As C has it: an unsigned int is compared with -1 as an unsigned number.
  if (is_signed == 0 && size == 4) value &= value < 0 ? 0xffffffff : -1;
  Operation op{.kind = OpKind::kLoad,
               .order = is_signed != 0 ? kObservedSigned : kObservedUnsigned,
               .size = size,
               .object = reinterpret_cast<std::uintptr_t>(object),
               .value = static_cast<std::uint64_t>(value)};
  switch (outcomes) {
    case 1:
      op.comparison = Comparison::kLess;
      break;
    case 2:
      op.comparison = Comparison::kEqual;
      break;
    case 5:
      op.comparison = Comparison::kNotEqual;
      break;
    case 6:
      op.comparison = Comparison::kGreaterEqual;
      break;
    default: {  // <= and >, by the next value
      op.comparison = outcomes == 3 ? Comparison::kLess : Comparison::kGreaterEqual;
      const bool wide = is_signed == 0 && size == 8;
      if (op.value == (wide ? ~std::uint64_t{0} : std::uint64_t{0x7fffffffffffffff}))
        unsupported("observing whether something is beyond the largest number", MAZUR_CALLER);
      ++op.value;
    }
  }
  Label& label = visible(op, MAZUR_CALLER);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, const_cast<const void*>(object), size);
  label.read = bytes;
  const bool is_true = holds(op, bytes);
  label.success = is_true;
  return is_true ? 1 : 0;
}
