#include "machine/native/loops/standard_lock.h"

#include <backtrace.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machine/native/engine/fiber.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/memory/private_heap.h"
#include "trace/access.h"
#include "trace/blocking/lock_round.h"

namespace mazur::native {

bool standard_locks_on = false;

namespace {

// What code at a place belongs to, with the functions that are inlined there.
enum class Code : std::uint8_t {
  kLock,     // std::lock, with nothing but the library's own code below it
  kLibrary,  // the library's own code
  kOther,
};

bool found_calls = false;  // there are some
bool any_refused = false;  // a try has failed: debug information, which takes long, is of use
bool calls_given_up = false;
bool tried_elsewhere = false;
// Mutexes that such calls have met, and that were tried elsewhere. They outlive executions.
std::vector<ObjectId> inside, outside;

// std::lock<std::mutex, std::mutex, ...>. A lockable of the program's own could do anything.
bool is_lock_of_mutexes(std::string_view name) {
  constexpr std::string_view kBegin = "_ZSt4lockISt5mutexS0_J";
  if (!name.starts_with(kBegin)) return false;
  name.remove_prefix(kBegin.size());
  while (name.starts_with("S0_")) name.remove_prefix(3);
  return name.starts_with("EE");
}

bool is_library(std::string_view name) {
  return name.starts_with("_ZNSt") || name.starts_with("_ZNKSt") || name.starts_with("_ZSt") ||
         name.find("__gthread_mutex_") != name.npos;
}

int look_at_caller(void* result, std::uintptr_t, const char*, int, const char* function) {
  Code& code = *static_cast<Code*>(result);
  const std::string_view name = function == nullptr ? "" : function;
  code = is_lock_of_mutexes(name) ? Code::kLock : is_library(name) ? Code::kLibrary : Code::kOther;
  return code == Code::kLibrary ? 0 : 1;
}

void ignore_missing(void*, const char*, int) {}

Code code_at(std::uint64_t pc) {
  static auto& known = *new std::unordered_map<std::uint64_t, Code>;
  static backtrace_state* state = backtrace_create_state(nullptr, 0, ignore_missing, nullptr);
  const auto at = known.find(pc);
  if (at != known.end()) return at->second;
  Code code = Code::kOther;
  if (state != nullptr) backtrace_pcinfo(state, pc - 1, look_at_caller, ignore_missing, &code);
  known.emplace(pc, code);
  return code;
}

// Whether the operation that the thread stands at is called by std::lock, through the library's own
// functions. Instrumented code has frame pointers.
bool is_in_call(const Fiber& fiber, const Entry& entry) {
  constexpr int kDeepest = 12;
  const OpKind kind = fiber.pending.kind;
  if (entry.sp == 0 || (kind != OpKind::kLock && kind != OpKind::kTryLock) || fiber.pending.timed)
    return false;
  const OwnStorage storage;
  const PrivateHeapScope scope;
  const auto end = reinterpret_cast<std::uintptr_t>(fiber.stack) + kStackSize;
  std::uint64_t pc = fiber.pc;
  std::uintptr_t frame = entry.registers[1];
  for (int depth = 0; depth < kDeepest; ++depth) {
    const Code code = code_at(pc);
    if (code != Code::kLibrary) return code == Code::kLock;
    if (frame < entry.sp || frame + 16 > end || frame % 8 != 0) return false;
    const auto* words = reinterpret_cast<const std::uintptr_t*>(frame);
    if (words[0] <= frame) return false;
    pc = words[1];
    frame = words[0];
  }
  return false;
}

// Adds it to one of the two lists, which must have nothing in common.
void note_mutex(std::vector<ObjectId>& list, const std::vector<ObjectId>& other, ObjectId mutex) {
  if (std::find(list.begin(), list.end(), mutex) != list.end()) return;
  const PrivateHeapScope scope;
  list.push_back(mutex);
  tried_elsewhere = tried_elsewhere || std::find(other.begin(), other.end(), mutex) != other.end();
}

// Notes the mutexes that an event elsewhere has looked at, and would have found held or not.
void note_looks(const Label& did) {
  const bool looks =
      did.kind == OpKind::kTryLock || did.kind == OpKind::kAtomicBlock || is_life(did.kind);
  if (!looks) return;
  for (const mazur::Access& access : accesses(did))
    if (access.space == Space::kMutex) note_mutex(outside, inside, access.object);
}

}  // namespace

void look_for_standard_lock(const Fiber& fiber, const Entry& entry) {
  if (any_refused && !found_calls && fiber.pending.kind == OpKind::kTryLock)
    found_calls = is_in_call(fiber, entry);
}

void note_for_standard_lock(const Label& did) {
  any_refused = any_refused || (did.kind == OpKind::kTryLock && !acquired(did));
}

void heed_standard_locks() { standard_locks_on = found_calls && !calls_given_up; }

void standard_lock_arrives(Fiber& fiber, const Entry& entry, const Label* did) {
  StandardLock& call = fiber.loop.standard;
  if (did != nullptr && call.here) {
    note_mutex(inside, outside, did->object);
    call.refused = call.refused || !acquired(*did);
  } else if (did != nullptr) {
    note_looks(*did);
  }
  if (!fiber.live) return;
  const OpKind next = fiber.pending.kind;
  call.here = is_in_call(fiber, entry);
  // After a failure it gives back, perhaps yields, and locks again.
  if (!call.here && next != OpKind::kUnlock && next != OpKind::kYield) call.refused = false;
}

bool standard_locks_failed() { return tried_elsewhere; }

void give_up_standard_locks() {
  calls_given_up = true;
  tried_elsewhere = standard_locks_on = false;
}

void add_lock_knowledge(SharedKnowledge& known) {
  known.locks.assign(inside.begin(), inside.end());
  known.tried.assign(outside.begin(), outside.end());
  std::ranges::sort(known.locks);
  std::ranges::sort(known.tried);
  known.locks_given_up = calls_given_up;
}

void take_lock_knowledge(const SharedKnowledge& known) {
  if (known.locks_given_up) return give_up_standard_locks();
  for (const std::uint64_t mutex : known.locks) note_mutex(inside, outside, mutex);
  for (const std::uint64_t mutex : known.tried) note_mutex(outside, inside, mutex);
}

}  // namespace mazur::native
