// Reference counts of exception objects. They are kept inside libstdc++, whose code is not
// instrumented: without this, destroying an exception that several threads have looked at (through
// std::exception_ptr) would be a race with their looking.
//
// Giving up a reference releases and acquires, as the decrement of the count does.
//
// Enabled, does, depends on, reversible: no events, except with --races=explore. There, the free of
// the object is an event, and the last thread to give up a reference does it. So giving up a
// reference is an event that updates the count. Taking a reference is no event: whoever takes one
// has one already.
#include <unwind.h>

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/runtime.h"
#include "machine/native/engine/shared_granules.h"
#include "machine/native/races/race_detector.h"

using namespace mazur;
using namespace mazur::native;

namespace {

// The exception that a caught one stands for. A rethrown std::exception_ptr has a header of its own
// ("GNUCC++\1"), with a pointer to the object where others have its type: 80 bytes before.
const void* object_of_exception(const _Unwind_Exception* header) {
  constexpr std::uint64_t kDependent = 0x474e5543432b2b01;
  if (header->exception_class != kDependent) return header + 1;
  return *reinterpret_cast<void* const*>(reinterpret_cast<const char*>(header) - 80);
}

// The count lies at the beginning of libstdc++'s header of the object.
constexpr std::size_t kHeader = 128;

void update_count(const void* object, const void* pc) {
  const auto* count =
      reinterpret_cast<const std::int32_t*>(static_cast<const char*>(object) - kHeader);
  const auto address = reinterpret_cast<std::uintptr_t>(count);
  if (is_shared(address, sizeof *count)) {
    Label& label = visible_access(OpKind::kRmw, kPlainOrder, sizeof *count, address, pc);
    label.read = label.before = static_cast<std::uint32_t>(*count);
    label.written = static_cast<std::uint32_t>(*count - 1);
  }
  access_slowly(address, sizeof *count, kWrite, pc);
}

void give_up(const void* object, const void* pc) {
  if (object == nullptr) return;
  happens_before(object);
  happens_after(object);
  if (race_state.threads_only && runtime.running && runtime.begun && !runtime.in_block)
    update_count(object, pc);
}

}  // namespace

MAZUR_EXPORT void mazur_delete_exception(_Unwind_Exception* exception) asm(
    "_Unwind_DeleteException");
void mazur_delete_exception(_Unwind_Exception* exception) {
  static void (*slot)(_Unwind_Exception*);
  give_up(object_of_exception(exception), MAZUR_CALLER);
  real(slot, "_Unwind_DeleteException")(exception);
}

// std::exception_ptr::_M_release(): its only member is the pointer to the object.
MAZUR_EXPORT void mazur_release_exception_ptr(void** pointer) asm(
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void mazur_release_exception_ptr(void** pointer) {
  static void (*slot)(void**);
  give_up(*pointer, MAZUR_CALLER);
  real(slot, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv")(pointer);
}
