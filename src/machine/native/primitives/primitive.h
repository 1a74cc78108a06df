// What the files of the primitives share: objects by address, threads as they are written into
// them, and the waiters of an object.
//
// The state of a primitive lies in the program's own object (pthread_mutex_t, sem_t, ...), in a
// layout that agrees with glibc's static initialisers, so that the snapshot restores it and an
// address names it in every execution.
#pragma once

#include <cstdint>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/runtime.h"

namespace mazur::native {

inline ObjectId object_of(const volatile void* address) {
  return static_cast<ObjectId>(reinterpret_cast<std::uintptr_t>(address));
}

template <typename T>
T& object_at(ObjectId object) {
  return *reinterpret_cast<T*>(static_cast<std::uintptr_t>(object));
}

// A thread inside an object: its id + 1, so that 0 is nobody.
inline int tag_of(ThreadId thread) { return thread + 1; }
inline int my_tag() { return tag_of(current_thread()); }
inline ThreadId thread_of(int tag) { return tag <= 0 ? kNoThread : static_cast<ThreadId>(tag - 1); }

// "main" or "thread 3", for messages.
class ThreadName {
 public:
  explicit ThreadName(int tag) {
    if (tag <= 0) {
      set("nobody", 0);
    } else if (tag == 1) {
      set("main", 0);
    } else {
      set("thread ", tag - 1);
    }
  }
  const char* text() const { return text_; }

 private:
  void set(const char* word, int number) {
    char* out = text_;
    while (*word != 0) *out++ = *word++;
    char digits[8];
    int count = 0;
    for (; number > 0 && count < 8; number /= 10)
      digits[count++] = static_cast<char>('0' + number % 10);
    while (count > 0) *out++ = digits[--count];
    *out = 0;
  }
  char text_[20];
};

// Calls `function` with every thread that waits on an object and has not been woken, in increasing
// order of ids.
template <typename F>
void for_each_waiter(const void* object, F function) {
  const ThreadId known = known_threads();
  for (ThreadId id = 0; id < known; ++id) {
    Fiber* fiber = find_fiber(id);
    if (fiber != nullptr && fiber->live && fiber->waiting_on == object && !fiber->woken)
      function(*fiber);
  }
}

// The running thread becomes a waiter of an object.
inline Fiber& start_waiting(const void* object, std::uint32_t mask = ~std::uint32_t{0}) {
  Fiber& me = *runtime.current;
  me.waiting_on = object;
  me.wait_mask = mask;
  me.woken = false;
  return me;
}

// A thread as a bit of Label::written.
inline std::uint64_t bit_of(const Fiber& fiber) { return std::uint64_t{1} << (fiber.id % 64); }

}  // namespace mazur::native
