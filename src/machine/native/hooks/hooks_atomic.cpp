// Atomic operations of 1 to 16 bytes, as gcc and clang call them in instrumented code, and of any
// size through libatomic's generic functions.
//
// Enabled:    always.
// Does:       the operation, sequentially consistent, with the memory order recorded.
// Depends on: accesses of overlapping bytes, if one of the two writes.
// Reversible: always.
#include <cstring>

#include "base/hash.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/hooks/spurious.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/weak/stored_bytes.h"
#include "machine/native/weak/used_orders.h"
#include "trace/fields.h"

using namespace mazur;
using namespace mazur::native;

namespace {

template <typename T>
Operation access(OpKind kind, const volatile T* address, int order) {
  return {.kind = kind,
          .order = static_cast<std::uint8_t>(order),
          .size = sizeof(T),
          .object = reinterpret_cast<ObjectId>(address)};
}

template <typename T>
[[gnu::always_inline]] inline Label& visible_at(OpKind kind, const volatile T* address, int order,
                                                const void* pc) {
  return visible_access(kind, order, sizeof(T), reinterpret_cast<ObjectId>(address), pc);
}

// For the label: the value if it is short, a fingerprint (FNV-1a) otherwise.
std::uint64_t fingerprint(const void* bytes, std::size_t size) {
  if (size > 8) return fnv1a({static_cast<const char*>(bytes), size});
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

// What a label has of a value: its low 8 bytes, which accesses of another size may share. Under weak
// memory models there are none of these, but longer values must be told apart.
template <typename T>
std::uint64_t low(T value) {
  if constexpr (sizeof(T) > 8)
    if (fences_are_events) return fingerprint(&value, sizeof value);
  return static_cast<std::uint64_t>(value);
}

// Whether the label of a compare-exchange of so many bytes says what it would have done in another
// order. If not, it counts as a write whatever it does.
bool is_told_by_label(std::size_t size) { return size <= 8 || fences_are_events; }

template <typename T>
[[gnu::always_inline]] inline T load_with(const volatile T* address, int order, const void* pc) {
  Label& label = visible_at(OpKind::kLoad, address, order, pc);
  const T value = *address;
  label.read = low(value);
  synchronised();
  return value;
}

template <typename T>
[[gnu::always_inline]] inline T load(const volatile T* address, int order, const void* pc) {
  return load_with(address, used_order(OpKind::kLoad, order, address, pc), pc);
}

template <typename T>
[[gnu::always_inline]] inline void store(volatile T* address, T value, int written,
                                         const void* pc) {
  const int order = used_order(OpKind::kStore, written, address, pc);
  Label& label = visible_at(OpKind::kStore, address, order, pc);
  label.before = low(*address);
  label.written = low(value);
  *address = value;
  synchronised();
}

template <typename T, typename F>
[[gnu::always_inline]] inline T modify(volatile T* address, int written, const void* pc, F&& next) {
  const int order = used_order(OpKind::kRmw, written, address, pc);
  Label& label = visible_at(OpKind::kRmw, address, order, pc);
  const T old = *address;
  const T value = static_cast<T>(next(old));
  label.read = label.before = low(old);
  label.written = low(value);
  *address = value;
  synchronised();
  return old;
}

template <typename T>
[[gnu::always_inline]] inline bool compare_exchange(volatile T* address, T* expected, T value,
                                                    int written, int written_on_failure,
                                                    const void* pc) {
  const int order = used_order(OpKind::kCas, written, address, pc);
  const int on_failure = used_failure_order(written, written_on_failure, order);
  const bool told = is_told_by_label(sizeof(T));
  Operation operation = access(told ? OpKind::kCas : OpKind::kRmw, address, order);
  operation.value = low(*expected);
  operation.comparison = told ? as_failure_order(on_failure) : Comparison::kNotEqual;
  Label& label = visible(operation, pc);
  const T old = *address;
  label.read = label.before = low(old);
  if (old != *expected) {
    label.success = false;
    label.order = static_cast<std::uint8_t>(on_failure);
    label.written = low(old);
    *expected = old;
    synchronised();
    return false;
  }
  label.written = low(value);
  *address = value;
  synchronised();
  return true;
}

template <typename T>
[[gnu::always_inline]] inline bool compare_exchange_weak(volatile T* address, T* expected, T value,
                                                         int order, int on_failure,
                                                         const void* pc) {
  if (!fails_spuriously(address, pc))
    return compare_exchange(address, expected, value, order, on_failure, pc);
  const int used = used_order(OpKind::kCas, order, address, pc);
  *expected = load_with(address, used_failure_order(order, on_failure, used), pc);
  return false;
}

// Accesses of `size` bytes that fit no integer.
Operation access_bytes(OpKind kind, const void* address, std::size_t size, int order) {
  return {.kind = kind,
          .order = static_cast<std::uint8_t>(order),
          .size = static_cast<std::uint32_t>(size),
          .object = reinterpret_cast<ObjectId>(address)};
}

}  // namespace

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using u128 = unsigned __int128;

// The compilers' names differ only in the width; a macro is the only way to define them all.
// Operations that a loop can come back to are entered through a few instructions that note the
// program's registers (waiting_loop.h).
#define MAZUR_FETCH(bits, T, name, expression)                                              \
  MAZUR_LOOP_ENTRY(T, __tsan_atomic##bits##_fetch_##name)(volatile T * p, T v, int order) { \
    return modify(p, order, MAZUR_CALLER, [v](T old) { return expression; });               \
  }
#define MAZUR_ATOMIC(bits, T)                                                           \
  MAZUR_LOOP_ENTRY(T, __tsan_atomic##bits##_load)(const volatile T* p, int order) {     \
    return load(p, order, MAZUR_CALLER);                                                \
  }                                                                                     \
  MAZUR_EXPORT void __tsan_atomic##bits##_store(volatile T* p, T v, int order) {        \
    store(p, v, order, MAZUR_CALLER);                                                   \
  }                                                                                     \
  MAZUR_LOOP_ENTRY(T, __tsan_atomic##bits##_exchange)(volatile T * p, T v, int order) { \
    return modify(p, order, MAZUR_CALLER, [v](T) { return v; });                        \
  }                                                                                     \
  MAZUR_FETCH(bits, T, add, old + v)                                                    \
  MAZUR_FETCH(bits, T, sub, old - v)                                                    \
  MAZUR_FETCH(bits, T, and, old& v)                                                     \
  MAZUR_FETCH(bits, T, or, old | v)                                                     \
  MAZUR_FETCH(bits, T, xor, old ^ v)                                                    \
  MAZUR_FETCH(bits, T, nand, ~(old & v))                                                \
  MAZUR_LOOP_ENTRY(int, __tsan_atomic##bits##_compare_exchange_strong)                  \
  (volatile T * p, T * e, T v, int order, int on_failure) {                             \
    return compare_exchange(p, e, v, order, on_failure, MAZUR_CALLER);                  \
  }                                                                                     \
  MAZUR_LOOP_ENTRY(int, __tsan_atomic##bits##_compare_exchange_weak)                    \
  (volatile T * p, T * e, T v, int order, int on_failure) {                             \
    return compare_exchange_weak(p, e, v, order, on_failure, MAZUR_CALLER);             \
  }                                                                                     \
  MAZUR_LOOP_ENTRY(T, __tsan_atomic##bits##_compare_exchange_val)                       \
  (volatile T * p, T e, T v, int order, int on_failure) {                               \
    compare_exchange(p, &e, v, order, on_failure, MAZUR_CALLER);                        \
    return e;                                                                           \
  }

MAZUR_ATOMIC(8, u8)
MAZUR_ATOMIC(16, u16)
MAZUR_ATOMIC(32, u32)
MAZUR_ATOMIC(64, u64)
MAZUR_ATOMIC(128, u128)

// Under sequential consistency a fence orders nothing that is not ordered already: it is no event,
// and matters only for data races.
MAZUR_EXPORT void __tsan_atomic_thread_fence(int written) {
  const int order = used_order(OpKind::kFence, written, nullptr, MAZUR_CALLER);
  if (__builtin_expect(orders_are_noted && order == __ATOMIC_RELAXED, 0)) return;
  if (__builtin_expect(fences_are_events, 0))
    visible({.kind = OpKind::kFence, .order = static_cast<std::uint8_t>(order)}, MAZUR_CALLER);
  atomic_fence(order);
}
MAZUR_EXPORT void __tsan_atomic_signal_fence(int) {}

// libatomic's functions. Their names are builtins in C++, so they get them from the assembler.
MAZUR_LOOP_ENTRY(void, __atomic_load)(std::size_t size, const void* p, void* out, int written) {
  const int order = used_order(OpKind::kLoad, written, p, MAZUR_CALLER);
  Label& label = visible(access_bytes(OpKind::kLoad, p, size, order), MAZUR_CALLER);
  label.read = fingerprint(p, size);
  std::memcpy(out, p, size);
  synchronised();
}

MAZUR_EXPORT void mazur_atomic_store(std::size_t size, void* p, const void* value,
                                     int order) asm("__atomic_store");
void mazur_atomic_store(std::size_t size, void* p, const void* value, int written) {
  const int order = used_order(OpKind::kStore, written, p, MAZUR_CALLER);
  Label& label = visible(access_bytes(OpKind::kStore, p, size, order), MAZUR_CALLER);
  label.before = fingerprint(p, size);
  label.written = fingerprint(value, size);
  std::memcpy(p, value, size);
  synchronised();
}

MAZUR_LOOP_ENTRY(void, __atomic_exchange)
(std::size_t size, void* p, const void* value, void* out, int written) {
  const int order = used_order(OpKind::kRmw, written, p, MAZUR_CALLER);
  Label& label = visible(access_bytes(OpKind::kRmw, p, size, order), MAZUR_CALLER);
  label.read = label.before = fingerprint(p, size);
  label.written = fingerprint(value, size);
  // `value` and `out` may be the same bytes.
  auto* object = static_cast<unsigned char*>(p);
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned char old = object[i];
    object[i] = static_cast<const unsigned char*>(value)[i];
    static_cast<unsigned char*>(out)[i] = old;
  }
  synchronised();
}

MAZUR_LOOP_ENTRY(bool, __atomic_compare_exchange)
(std::size_t size, void* p, void* expected, const void* value, int written,
 int written_on_failure) {
  const int order = used_order(OpKind::kCas, written, p, MAZUR_CALLER);
  const int on_failure = used_failure_order(written, written_on_failure, order);
  const bool told = is_told_by_label(size);
  Operation operation = access_bytes(told ? OpKind::kCas : OpKind::kRmw, p, size, order);
  operation.value = fingerprint(expected, size);
  operation.comparison = told ? as_failure_order(on_failure) : Comparison::kNotEqual;
  Label& label = visible(operation, MAZUR_CALLER);
  label.read = label.before = label.written = fingerprint(p, size);
  if (std::memcmp(p, expected, size) != 0) {
    label.success = false;
    label.order = static_cast<std::uint8_t>(on_failure);
    std::memcpy(expected, p, size);
    synchronised();
    return false;
  }
  label.written = fingerprint(value, size);
  std::memcpy(p, value, size);
  synchronised();
  return true;
}

// clang without -mcx16 calls these for 16 bytes; gcc calls the fetch forms.
#define MAZUR_LIBATOMIC16(name)                                                            \
  MAZUR_LOOP_ENTRY(u128, __atomic_##name##_16)(volatile u128 * p, u128 v, int order) {     \
    return modify(p, order, MAZUR_CALLER, [v](u128 old) { return MAZUR_LIBATOMIC_BODY; }); \
  }
#define MAZUR_LIBATOMIC_BODY ((void)old, v)
MAZUR_LIBATOMIC16(exchange)
#undef MAZUR_LIBATOMIC_BODY
#define MAZUR_LIBATOMIC_BODY old + v
MAZUR_LIBATOMIC16(fetch_add)
#undef MAZUR_LIBATOMIC_BODY
#define MAZUR_LIBATOMIC_BODY old - v
MAZUR_LIBATOMIC16(fetch_sub)
#undef MAZUR_LIBATOMIC_BODY
#define MAZUR_LIBATOMIC_BODY (old & v)
MAZUR_LIBATOMIC16(fetch_and)
#undef MAZUR_LIBATOMIC_BODY
#define MAZUR_LIBATOMIC_BODY (old | v)
MAZUR_LIBATOMIC16(fetch_or)
#undef MAZUR_LIBATOMIC_BODY
#define MAZUR_LIBATOMIC_BODY (old ^ v)
MAZUR_LIBATOMIC16(fetch_xor)
#undef MAZUR_LIBATOMIC_BODY
#define MAZUR_LIBATOMIC_BODY ~(old & v)
MAZUR_LIBATOMIC16(fetch_nand)
#undef MAZUR_LIBATOMIC_BODY

MAZUR_LOOP_ENTRY(u128, __atomic_load_16)(const volatile u128* p, int order) {
  return load(p, order, MAZUR_CALLER);
}
MAZUR_EXPORT void mazur_store_16(volatile u128* p, u128 v, int order) asm("__atomic_store_16");
void mazur_store_16(volatile u128* p, u128 v, int order) { store(p, v, order, MAZUR_CALLER); }
MAZUR_LOOP_ENTRY(bool, __atomic_compare_exchange_16)
(volatile u128* p, u128* e, u128 v, int order, int on_failure) {
  return compare_exchange(p, e, v, order, on_failure, MAZUR_CALLER);
}
