// One-time initialisation: pthread_once, C11's call_once, and the guards of function-local statics.
//
// Enabled:    entering when no other thread runs the initialiser; leaving always. An initialiser
//             that comes to its own flag again waits for itself: a deadlock.
// Does:       entering finds the initialiser done, or makes this thread run it; leaving says that
//             it is done, or, when an exception or pthread_exit left it, that it never began.
// Depends on: accesses to the bytes of the flag: entering to run and leaving write them, entering
//             to find it done reads them. Compilers inline a load of the first byte of a guard,
//             which depends on them as any load does.
// Reversible: entering with entering. Leaving and the entering that waited for it are not: it was
//             blocked.
#include <pthread.h>
#include <threads.h>

#include "machine/native/primitives/primitive.h"

namespace mazur::native {
namespace {

// pthread_once_t and once_flag: 0 at first.
struct OnceFlag {
  using Word = std::uint32_t;
  static constexpr Word kDone = 2;
  static Word running(int tag) { return static_cast<Word>(tag) << 2 | 1; }
  static bool is_done(Word word) { return word == kDone; }
  static bool is_running(Word word) { return (word & 3) == 1; }
  static int runner(Word word) { return static_cast<int>(word >> 2); }
};
static_assert(sizeof(OnceFlag::Word) == sizeof(pthread_once_t) &&
              sizeof(OnceFlag::Word) == sizeof(once_flag));

// The guard of a static: compiled code looks at the first byte, the rest is ours.
struct Guard {
  using Word = std::uint64_t;
  static constexpr Word kDone = 1;
  static Word running(int tag) { return static_cast<Word>(tag) << 32; }
  static bool is_done(Word word) { return (word & 0xff) != 0; }
  static bool is_running(Word word) { return word >> 32 != 0; }
};

template <typename Flag>
bool can_enter(const Fiber& fiber) {
  return !Flag::is_running(object_at<typename Flag::Word>(fiber.op->object));
}

// True: the caller is to run the initialiser.
template <typename Flag>
bool enter_once(typename Flag::Word& flag, const void* pc) {
  Label& label =
      visible({.kind = OpKind::kOnceEnter, .size = sizeof flag, .object = object_of(&flag)}, pc,
              {.enabled = can_enter<Flag>});
  label.read = label.before = label.written = flag;
  label.success = !Flag::is_done(flag);
  if (label.success) label.written = flag = Flag::running(my_tag());
  return label.success;
}

template <typename Flag>
void leave_once(typename Flag::Word& flag, bool done, const void* pc) {
  Label& label =
      visible({.kind = OpKind::kOnceLeave, .size = sizeof flag, .object = object_of(&flag)}, pc);
  label.read = label.before = flag;
  label.written = flag = done ? Flag::kDone : 0;
  label.success = done;
}

// Leaves when the initialiser is left, however that happens.
class Initialisation {
 public:
  Initialisation(OnceFlag::Word& flag, const void* pc) : flag_(flag), pc_(pc) {}
  ~Initialisation() { leave_once<OnceFlag>(flag_, done_, pc_); }
  Initialisation(const Initialisation&) = delete;
  Initialisation& operator=(const Initialisation&) = delete;
  void done() { done_ = true; }

 private:
  OnceFlag::Word& flag_;
  const void* pc_;
  bool done_ = false;
};

void run_once(OnceFlag::Word& flag, void (*function)(), const void* pc) {
  if (!enter_once<OnceFlag>(flag, pc)) return;
  Initialisation initialisation(flag, pc);
  function();
  initialisation.done();
}

Guard::Word& guard_at(std::int64_t* guard) { return *reinterpret_cast<Guard::Word*>(guard); }

}  // namespace

ThreadId once_runner(const Operation& op) {
  if (op.size == sizeof(OnceFlag::Word)) {
    const auto word = object_at<OnceFlag::Word>(op.object);
    return OnceFlag::is_running(word) ? thread_of(OnceFlag::runner(word)) : kNoThread;
  }
  return thread_of(static_cast<int>(object_at<Guard::Word>(op.object) >> 32));
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT int pthread_once(pthread_once_t* flag, void (*function)()) {
  run_once(*reinterpret_cast<OnceFlag::Word*>(flag), function, MAZUR_CALLER);
  return 0;
}

MAZUR_EXPORT void call_once(once_flag* flag, void (*function)()) {
  run_once(*reinterpret_cast<OnceFlag::Word*>(flag), function, MAZUR_CALLER);
}

MAZUR_EXPORT int __cxa_guard_acquire(std::int64_t* guard) {
  return enter_once<Guard>(guard_at(guard), MAZUR_CALLER) ? 1 : 0;
}

MAZUR_EXPORT void __cxa_guard_release(std::int64_t* guard) noexcept {
  leave_once<Guard>(guard_at(guard), true, MAZUR_CALLER);
}

MAZUR_EXPORT void __cxa_guard_abort(std::int64_t* guard) noexcept {
  leave_once<Guard>(guard_at(guard), false, MAZUR_CALLER);
}
