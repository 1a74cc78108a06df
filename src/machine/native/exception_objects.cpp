// Reference counts of exception objects. They are kept inside libstdc++, whose code is not
// instrumented: without this, destroying an exception that several threads have looked at (through
// std::exception_ptr) would be a race with their looking.
//
// Enabled, does, depends on, reversible: no events. Giving up a reference releases and acquires, as
// the decrement of the count does.
#include <unwind.h>

#include <cstdint>

#include "machine/native/race_detector.h"
#include "machine/native/runtime.h"

using namespace mazur::native;

namespace {

// The exception that a caught one stands for. A rethrown std::exception_ptr has a header of its own
// ("GNUCC++\1"), with a pointer to the object where others have its type: 80 bytes before.
const void* object_of_exception(const _Unwind_Exception* header) {
  constexpr std::uint64_t kDependent = 0x474e5543432b2b01;
  if (header->exception_class != kDependent) return header + 1;
  return *reinterpret_cast<void* const*>(reinterpret_cast<const char*>(header) - 80);
}

void give_up(const void* object) {
  if (object == nullptr) return;
  happens_before(object);
  happens_after(object);
}

}  // namespace

MAZUR_EXPORT void mazur_delete_exception(_Unwind_Exception* exception) asm(
    "_Unwind_DeleteException");
void mazur_delete_exception(_Unwind_Exception* exception) {
  static void (*slot)(_Unwind_Exception*);
  give_up(object_of_exception(exception));
  real(slot, "_Unwind_DeleteException")(exception);
}

// std::exception_ptr::_M_release(): its only member is the pointer to the object.
MAZUR_EXPORT void mazur_release_exception_ptr(void** pointer) asm(
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
void mazur_release_exception_ptr(void** pointer) {
  static void (*slot)(void**);
  give_up(*pointer);
  real(slot, "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv")(pointer);
}
