#include "machine/native/loops/seen_time.h"

#include <backtrace.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "machine/native/engine/fiber.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {
namespace {

struct ClockCall {
  std::uint64_t pc;
  ClockRead read;
};
std::vector<ClockCall> clock_calls;  // where steady_clock::now() is called; outlives executions
bool has_unknown_calls = false;
bool calls_changed = false;
bool reads_given_up = false;
bool time_has_passed = false;  // in this execution

// libstdc++'s functions that turn a duration into a deadline for one call.
bool makes_deadline(std::string_view name) {
  for (const std::string_view known :
       {"_ZNSt18__timed_mutex_implISt11timed_mutexE15_M_try_lock_forI",
        "_ZNSt18__timed_mutex_implISt21recursive_timed_mutexE15_M_try_lock_forI",
        "_ZNSt18shared_timed_mutex12try_lock_forI",
        "_ZNSt18shared_timed_mutex19try_lock_shared_forI"})
    if (name.starts_with(known)) return true;
  return false;
}

// The innermost function decides, inlined or not.
int look_at_asker(void* result, std::uintptr_t, const char*, int, const char* function) {
  *static_cast<bool*>(result) = function != nullptr && makes_deadline(function);
  return 1;
}

void ignore_no_names(void*, const char*, int) {}

void judge_clock_calls() {
  // One thread alone has no rounds in vain, and reading debug information takes long.
  if (!has_unknown_calls || known_threads() < 2) return;
  has_unknown_calls = false;
  const OwnStorage storage;
  const PrivateHeapScope scope;
  static backtrace_state* state = backtrace_create_state(nullptr, 0, ignore_no_names, nullptr);
  for (ClockCall& call : clock_calls) {
    if (call.read != ClockRead::kUnknown) continue;
    bool is_deadline = false;
    if (state != nullptr)
      backtrace_pcinfo(state, call.pc - 1, look_at_asker, ignore_no_names, &is_deadline);
    call.read = is_deadline ? ClockRead::kDeadline : ClockRead::kLook;
    calls_changed = calls_changed || is_deadline;
  }
}

}  // namespace

ClockRead clock_read_at(const void* pc) {
  if (reads_given_up) return ClockRead::kLook;
  const auto at = reinterpret_cast<std::uint64_t>(pc);
  const auto find = [at] {
    return std::find_if(clock_calls.begin(), clock_calls.end(),
                        [at](const ClockCall& call) { return call.pc == at; });
  };
  if (find() == clock_calls.end()) {
    const PrivateHeapScope scope;
    clock_calls.push_back({at, ClockRead::kUnknown});
    has_unknown_calls = true;
  }
  // A recorded schedule was run when it was known. Otherwise it is found out later: what that leaves
  // on this stack must not be there in one execution alone.
  if (runtime.follows_schedule) judge_clock_calls();
  return find()->read;
}

void note_time_seen() {
  const Fiber* me = runtime.current;
  if (me != nullptr && runtime.channel != nullptr && (me->id != 0 || me->children != 0))
    runtime.channel->time_seen.store(1, std::memory_order_relaxed);
}

void note_time_passes() {
  runtime.current->loop.slept = true;
  time_has_passed = true;
}

void note_rounds_left_out(const Fiber& fiber, bool repetition) {
  if (runtime.channel != nullptr && (fiber.loop.slept || (repetition && time_has_passed)))
    runtime.channel->time_left_out.store(1, std::memory_order_relaxed);
}

void reset_passed_time() { time_has_passed = false; }

bool clock_reads_changed() {
  judge_clock_calls();
  return calls_changed;
}

void read_clocks_again(bool give_up) {
  calls_changed = false;
  reads_given_up = reads_given_up || give_up;
}

void add_time_knowledge(SharedKnowledge& known) {
  known.time_is_seen = runtime.channel->time_seen.load(std::memory_order_relaxed) != 0;
  known.time_left_out = runtime.channel->time_left_out.load(std::memory_order_relaxed) != 0;
}

}  // namespace mazur::native
