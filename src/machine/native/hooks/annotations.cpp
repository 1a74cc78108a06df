// ThreadSanitizer's public interface, which instrumented programs and libraries call:
// <sanitizer/tsan_interface.h>, the Annotate* family, a few of
// <sanitizer/common_interface_defs.h>.
//
// Enabled, does, depends on, reversible: no events. They tell the race detector about order that it
// could not see, or ask it to look away; they never order anything themselves. The accesses they
// stand beside (of a mutex made of atomics, say) are events already, so the explorer needs none of
// them. User-level fibers switch inside of one thread and need nothing either.
#include <dlfcn.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/races/plain.h"
#include "machine/native/races/race_detector.h"

namespace mazur::native {
namespace {

// Flags of ThreadSanitizer's mutex annotations.
constexpr unsigned kForReading = 1 << 3;
constexpr unsigned kTryFailed = 1 << 5;

// What readers of an annotated lock release: apart from writers, because readers do not wait for
// each other. No annotated object begins one byte further on.
const void* readers_of(const void* lock) { return static_cast<const char*>(lock) + 1; }

void acquired(const void* lock, bool for_reading) {
  happens_after(lock);
  if (!for_reading) happens_after(readers_of(lock));
}

void released(const void* lock, bool for_reading) {
  happens_before(for_reading ? readers_of(lock) : lock);
}

// The program may define this function: returns what its definition says, or "" without one. Calls
// and look-ups from the runtime (-Bsymbolic) find the runtime's default first, so the look-up
// starts at the program.
const char* text_of_program(const char* name) {
  PrivateHeapScope scope;
  void* const found = dlsym(dlopen(nullptr, RTLD_LAZY), name);
  if (found == nullptr || is_runtime_code(reinterpret_cast<std::uint64_t>(found))) return "";
  return reinterpret_cast<const char* (*)()>(found)();
}

}  // namespace
}  // namespace mazur::native

using namespace mazur::native;

// ---- Order

MAZUR_EXPORT void __tsan_acquire(void* address) { happens_after(address); }
MAZUR_EXPORT void __tsan_release(void* address) { happens_before(address); }

// ---- Mutexes that the program has made itself

MAZUR_EXPORT void __tsan_mutex_create(void*, unsigned) {}
MAZUR_EXPORT void __tsan_mutex_destroy(void*, unsigned) {}
MAZUR_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) {}
MAZUR_EXPORT void __tsan_mutex_post_lock(void* mutex, unsigned flags, int) {
  if ((flags & kTryFailed) == 0) acquired(mutex, (flags & kForReading) != 0);
}
// Returns how deep a recursive lock was; the caller passes it on to post_lock.
MAZUR_EXPORT int __tsan_mutex_pre_unlock(void* mutex, unsigned flags) {
  released(mutex, (flags & kForReading) != 0);
  return 1;
}
MAZUR_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}
MAZUR_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) {}
MAZUR_EXPORT void __tsan_mutex_post_signal(void*, unsigned) {}
MAZUR_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) {}
MAZUR_EXPORT void __tsan_mutex_post_divert(void*, unsigned) {}

// ---- User-level fibers: a handle that is not null is all the program needs.

namespace {
char any_fiber;
}

MAZUR_EXPORT void* __tsan_get_current_fiber() {
  return runtime.current != nullptr ? static_cast<void*>(runtime.current) : &any_fiber;
}
MAZUR_EXPORT void* __tsan_create_fiber(unsigned) { return &any_fiber; }
MAZUR_EXPORT void __tsan_destroy_fiber(void*) {}
MAZUR_EXPORT void __tsan_switch_to_fiber(void*, unsigned) {}
MAZUR_EXPORT void __tsan_set_fiber_name(void*, const char*) {}

// ---- Accesses to an object as a whole, declared by its library

MAZUR_EXPORT void* __tsan_external_register_tag(const char*) { return &any_fiber; }
MAZUR_EXPORT void __tsan_external_register_header(void*, const char*) {}
MAZUR_EXPORT void __tsan_external_assign_tag(void*, void*) {}
MAZUR_EXPORT void __tsan_external_read(void* object, void* pc, void*) {
  plain(object, 1, false, pc);
}
MAZUR_EXPORT void __tsan_external_write(void* object, void* pc, void*) {
  plain(object, 1, true, pc);
}

// ---- What a program may define itself; these are the defaults.

MAZUR_EXPORT __attribute__((weak)) const char* __tsan_default_options() {
  return text_of_program("__tsan_default_options");
}
MAZUR_EXPORT __attribute__((weak)) const char* __tsan_default_suppressions() {
  return text_of_program("__tsan_default_suppressions");
}
MAZUR_EXPORT __attribute__((weak)) void __tsan_on_initialize() {}
MAZUR_EXPORT __attribute__((weak)) int __tsan_on_finalize(int failed) { return failed; }

MAZUR_EXPORT void __tsan_flush_memory() {}

// ---- Annotate*: each begins with the file and line it stands in.

MAZUR_EXPORT void AnnotateHappensBefore(const char*, int, const void* p) { happens_before(p); }
MAZUR_EXPORT void AnnotateHappensAfter(const char*, int, const void* p) { happens_after(p); }
MAZUR_EXPORT void WTFAnnotateHappensBefore(const char*, int, const void* p) { happens_before(p); }
MAZUR_EXPORT void WTFAnnotateHappensAfter(const char*, int, const void* p) { happens_after(p); }
MAZUR_EXPORT void AnnotateCondVarSignal(const char*, int, const void* cv) { happens_before(cv); }
MAZUR_EXPORT void AnnotateCondVarSignalAll(const char*, int, const void* cv) { happens_before(cv); }
MAZUR_EXPORT void AnnotateCondVarWait(const char*, int, const void* cv, const void*) {
  happens_after(cv);
}
MAZUR_EXPORT void AnnotatePCQPut(const char*, int, const void* queue) { happens_before(queue); }
MAZUR_EXPORT void AnnotatePCQGet(const char*, int, const void* queue) { happens_after(queue); }
MAZUR_EXPORT void AnnotatePCQCreate(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotatePCQDestroy(const char*, int, const void*) {}

MAZUR_EXPORT void AnnotateRWLockCreate(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotateRWLockCreateStatic(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotateRWLockDestroy(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotateRWLockAcquired(const char*, int, const void* lock, long for_writing) {
  acquired(lock, for_writing == 0);
}
MAZUR_EXPORT void AnnotateRWLockReleased(const char*, int, const void* lock, long for_writing) {
  released(lock, for_writing == 0);
}

MAZUR_EXPORT void AnnotateBenignRace(const char*, int, const void* p, const char*) {
  benign_race(p, 1);
}
MAZUR_EXPORT void AnnotateExpectRace(const char*, int, const void* p, const char*) {
  benign_race(p, 1);
}
MAZUR_EXPORT void AnnotateBenignRaceSized(const char*, int, const void* p, std::size_t size,
                                          const char*) {
  benign_race(p, size);
}
MAZUR_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, const void* p, std::size_t size,
                                             const char*) {
  benign_race(p, size);
}

MAZUR_EXPORT void AnnotateIgnoreReadsBegin(const char*, int) { ignore_accesses(true, true); }
MAZUR_EXPORT void AnnotateIgnoreReadsEnd(const char*, int) { ignore_accesses(true, false); }
MAZUR_EXPORT void AnnotateIgnoreWritesBegin(const char*, int) { ignore_accesses(false, true); }
MAZUR_EXPORT void AnnotateIgnoreWritesEnd(const char*, int) { ignore_accesses(false, false); }
MAZUR_EXPORT void AnnotateEnableRaceDetection(const char*, int, int enable) {
  ignore_accesses(true, enable == 0);
  ignore_accesses(false, enable == 0);
}
MAZUR_EXPORT void __tsan_ignore_thread_begin() {
  ignore_accesses(true, true);
  ignore_accesses(false, true);
}
MAZUR_EXPORT void __tsan_ignore_thread_end() {
  ignore_accesses(true, false);
  ignore_accesses(false, false);
}
// Synchronisation that is ignored could only add races.
MAZUR_EXPORT void AnnotateIgnoreSyncBegin(const char*, int) {}
MAZUR_EXPORT void AnnotateIgnoreSyncEnd(const char*, int) {}

// Memory that an allocator of the program hands out again.
MAZUR_EXPORT void AnnotateNewMemory(const char*, int, const void* memory, std::size_t size) {
  if (in_execution() && race_state.on)
    shadow_forget(reinterpret_cast<std::uintptr_t>(memory), size);
}

MAZUR_EXPORT void AnnotateThreadName(const char*, int, const char* name) {
  char start[16];
  std::strncpy(start, name, sizeof start - 1);
  start[sizeof start - 1] = 0;
  pthread_setname_np(pthread_self(), start);
}

// Of no use to this detector.
MAZUR_EXPORT void AnnotateMutexIsNotPHB(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotateMutexIsUsedAsCondVar(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotateTraceMemory(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotateFlushState(const char*, int) {}
MAZUR_EXPORT void AnnotateFlushExpectedRaces(const char*, int) {}
MAZUR_EXPORT void AnnotateNoOp(const char*, int, const void*) {}
MAZUR_EXPORT void AnnotatePublishMemoryRange(const char*, int, const void*, std::size_t) {}
MAZUR_EXPORT void AnnotateUnpublishMemoryRange(const char*, int, const void*, std::size_t) {}
MAZUR_EXPORT void AnnotateMemoryIsInitialized(const char*, int, const void*, std::size_t) {}
MAZUR_EXPORT void AnnotateMemoryIsUninitialized(const char*, int, const void*, std::size_t) {}

MAZUR_EXPORT int RunningOnValgrind() { return 0; }
MAZUR_EXPORT double ValgrindSlowdown() { return 10; }
MAZUR_EXPORT const char* ThreadSanitizerQuery(const char* query) {
  return std::strcmp(query, "pure_happens_before") == 0 ? "1" : "0";
}

// ---- Of the sanitizers in common

MAZUR_EXPORT void __sanitizer_print_stack_trace() {}
MAZUR_EXPORT void __sanitizer_set_death_callback(void (*)()) {}
MAZUR_EXPORT void __sanitizer_set_report_path(const char*) {}
MAZUR_EXPORT void __sanitizer_set_report_fd(void*) {}
MAZUR_EXPORT void __sanitizer_sandbox_on_notify(void*) {}

namespace {

template <typename T>
T load_unaligned(const void* address, const void* pc) {
  plain(address, sizeof(T), false, pc);
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

template <typename T>
void store_unaligned(void* address, T value, const void* pc) {
  plain(address, sizeof(T), true, pc);
  std::memcpy(address, &value, sizeof value);
}

}  // namespace

MAZUR_NOTE_ENTRY(__sanitizer_unaligned_load16)
extern "C" __attribute__((visibility("hidden"), used)) std::uint16_t
mazur_in___sanitizer_unaligned_load16(const void* p) {
  return load_unaligned<std::uint16_t>(p, MAZUR_CALLER);
}
MAZUR_NOTE_ENTRY(__sanitizer_unaligned_load32)
extern "C" __attribute__((visibility("hidden"), used)) std::uint32_t
mazur_in___sanitizer_unaligned_load32(const void* p) {
  return load_unaligned<std::uint32_t>(p, MAZUR_CALLER);
}
MAZUR_NOTE_ENTRY(__sanitizer_unaligned_load64)
extern "C" __attribute__((visibility("hidden"), used)) std::uint64_t
mazur_in___sanitizer_unaligned_load64(const void* p) {
  return load_unaligned<std::uint64_t>(p, MAZUR_CALLER);
}
MAZUR_EXPORT void __sanitizer_unaligned_store16(void* p, std::uint16_t value) {
  store_unaligned(p, value, MAZUR_CALLER);
}
MAZUR_EXPORT void __sanitizer_unaligned_store32(void* p, std::uint32_t value) {
  store_unaligned(p, value, MAZUR_CALLER);
}
MAZUR_EXPORT void __sanitizer_unaligned_store64(void* p, std::uint64_t value) {
  store_unaligned(p, value, MAZUR_CALLER);
}
