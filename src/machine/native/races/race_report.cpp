#include "machine/native/races/race_report.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "base/hash.h"
#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/memory/arena.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/races/held_locks.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/races/suppressions.h"

namespace mazur::native {

const Fiber* late_access_of = nullptr;
const char* inside_function = nullptr;
bool watching = false;

namespace {

struct Candidate {
  std::uint64_t pair = 0;
  Failure failure;  // without the other side
  Access access;
  Record64 earlier = 0;
  std::uint32_t earlier_pc = 0;
  std::uintptr_t allocation = 0;  // of a leak: the block
  // Seen when the schedule is run again.
  bool seen = false;
  bool seen_exactly = false;
  Access earlier_access;
  const char* earlier_function = nullptr;
};

// What is known about two places that are in conflict.
struct Pair {
  enum class State : std::uint8_t { kNew, kCandidate, kSuppressed, kError };
  State state = State::kNew;
  bool told = false;
  Failure failure;
};

std::map<std::uint64_t, Pair>& pairs() {
  static auto& all = *new std::map<std::uint64_t, Pair>;
  return all;
}
std::vector<Candidate>& candidates() {
  static auto& all = *new std::vector<Candidate>;
  return all;
}
std::vector<std::uint64_t>& untold() {
  static auto& all = *new std::vector<std::uint64_t>;
  return all;
}

std::uint64_t pair_of(const Access& access, Record64 earlier, std::uint32_t earlier_pc) {
  const auto pc = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(access.pc));
  const std::uint64_t kinds = access.kind << 4 | kind_of(earlier);
  return spread(std::uint64_t{pc} << 32 | earlier_pc) ^ kinds;
}

const Fiber& accessing() { return late_access_of != nullptr ? *late_access_of : *runtime.current; }

std::vector<std::uint64_t> stack_of(const Access& access) {
  const auto pc = reinterpret_cast<std::uint64_t>(access.pc);
  if (late_access_of == nullptr) return call_stack(pc);
  const auto& stack = machine->stack_of_step();
  return stack.empty() ? std::vector<std::uint64_t>{pc} : stack;
}

// "atomic write of 4 bytes", "write of 12 bytes in sprintf"
std::string described(const Access& access, const char* function) {
  char text[120];
  const char* what = (access.kind & kFreed) != 0   ? "free"
                     : (access.kind & kWrite) != 0 ? "write"
                                                   : "read";
  std::snprintf(text, sizeof text, "%s%s of %zu byte%s%s%s",
                (access.kind & kAtomic) != 0 ? "atomic " : "", what, access.size,
                access.size == 1 ? "" : "s", function != nullptr ? " in " : "",
                function != nullptr ? function : "");
  return text;
}

// "data race: write of 4 bytes at 0x4010 by thread 1"
Message described_at(const char* error, const Access& access, ThreadId thread) {
  Message message;
  message.add("%s: %s at %p by %s", error, described(access, inside_function).c_str(),
              reinterpret_cast<void*>(access.address), ThreadName(tag_of(thread)).text());
  return message;
}

// ", 4 bytes after the end of a block of 12 bytes"
class BlockText {
 public:
  explicit BlockText(std::uintptr_t at) {
    const HeapBlock block = heap_block_near(at);
    if (block.begin == 0) return;
    const std::uintptr_t end = block.begin + block.size;
    if (at < block.begin)
      set("%zu bytes before a block of %zu bytes", block.begin - at, block.size);
    else if (at < end)
      set("%zu bytes into a block of %zu bytes", at - block.begin, block.size);
    else
      set("%zu bytes after the end of a block of %zu bytes", at - end, block.size);
  }
  const char* text() const { return text_; }

 private:
  void set(const char* format, std::size_t a, std::size_t b) {
    text_[0] = ',';
    text_[1] = ' ';
    std::snprintf(text_ + 2, sizeof text_ - 2, format, a, b);
  }
  char text_[96] = "";
};

Failure failure_here(FailureKind kind, Message message, const Access& access) {
  Failure failure;
  failure.kind = kind;
  failure.thread = accessing().id;
  failure.message = std::move(message);
  failure.stack = stack_of(access);
  failure.locks = held_locks(failure.thread);
  return failure;
}

// If the earlier access was not seen again, it is described by what the shadow knows about it.
void complete(Candidate& candidate) {
  if (candidate.failure.kind == FailureKind::kLeak) return;
  OtherSide& other = candidate.failure.other;
  other.thread = thread_of_record(candidate.earlier);
  if (!candidate.seen) {
    candidate.earlier_access = {
        .address = candidate.access.address,
        .size = static_cast<std::size_t>(__builtin_popcount(bytes_of(candidate.earlier))),
        .kind = kind_of(candidate.earlier)};
    const auto later_pc = reinterpret_cast<std::uint64_t>(candidate.access.pc);
    const std::uint64_t pc = (later_pc & ~std::uint64_t{0xffffffff}) | candidate.earlier_pc;
    if (is_program_code(pc)) other.stack = {pc};
  }
  if (candidate.failure.kind != FailureKind::kDataRace) {
    other.what = "free";
    candidate.failure.message +=
        std::string(", freed by ") + ThreadName(tag_of(other.thread)).text();
    return;
  }
  other.what = described(candidate.earlier_access, candidate.earlier_function);
  candidate.failure.message +=
      ", earlier " + other.what + " by " + ThreadName(tag_of(other.thread)).text();
}

void note_candidate(std::uint64_t key, Failure failure, const Access& access, Record64 earlier,
                    std::uint32_t earlier_pc) {
  Candidate candidate;
  candidate.pair = key;
  candidate.failure = std::move(failure);
  candidate.access = access;
  candidate.earlier = earlier;
  candidate.earlier_pc = earlier_pc;
  candidates().push_back(std::move(candidate));
  race_state.found = true;
}

// Ends the thread whose access it was with an error.
void end_with(const Failure& failure) {
  if (runtime.current != nullptr) {
    machine->failed(failure);
    runtime.current->failed = true;
    machine->thread_ended(*runtime.current);
    abandon();
  }
  Fiber& fiber = fiber_of(late_access_of->id);
  machine->failed(failure);
  fiber.failed = true;
  if (fiber.live) machine->thread_ended(fiber);
}

// The error for this access to marked memory. It is kept with the pair, so that nothing is lost
// when the thread ends at once.
Pair& marked_pair(FailureKind kind, Message message, const Access& access, Record64 mark,
                  std::uint32_t mark_pc) {
  const std::uint64_t key = pair_of(access, mark, mark_pc);
  Pair& pair = pairs()[key];
  if (pair.state == Pair::State::kError) return pair;
  pair.failure = failure_here(kind, std::move(message), access);
  if ((kind_of(mark) & kFreed) == 0) {
    pair.state = Pair::State::kError;
  } else if (pair.state == Pair::State::kNew) {
    pair.state = Pair::State::kCandidate;
    note_candidate(key, pair.failure, access, mark, mark_pc);
  }
  return pair;
}

}  // namespace

void met_race(const Access& access, Record64 earlier, std::uint32_t earlier_pc) {
  PrivateHeapScope scope;
  const std::uint64_t key = pair_of(access, earlier, earlier_pc);
  Pair& pair = pairs()[key];
  switch (pair.state) {
    case Pair::State::kCandidate:
    case Pair::State::kSuppressed:
      return;
    case Pair::State::kError:
      if (machine->failure() == nullptr) {
        pair.told = true;
        machine->failed(pair.failure);
      } else if (!pair.told) {
        untold().push_back(key);
        race_state.found = true;
      }
      return;
    case Pair::State::kNew:
      break;
  }
  Failure failure = failure_here(FailureKind::kDataRace,
                                 described_at("data race", access, accessing().id), access);
  pair.state = Pair::State::kCandidate;
  note_candidate(key, std::move(failure), access, earlier, earlier_pc);
}

void met_mark(const Access& access, std::uintptr_t granule, Record64 mark, std::uint32_t pc) {
  const Pair* pair = nullptr;
  {
    PrivateHeapScope scope;
    const bool freed = (kind_of(mark) & kFreed) != 0;
    const std::uintptr_t at =
        std::max(granule + static_cast<unsigned>(__builtin_ctz(bytes_of(mark))), access.address);
    Message message =
        described_at(freed ? "use after free" : "heap overflow", access, accessing().id);
    message += BlockText(at).text();
    pair = &marked_pair(freed ? FailureKind::kUseAfterFree : FailureKind::kHeapOverflow,
                        std::move(message), access, mark, pc);
  }
  inside_function = nullptr;
  end_with(pair->failure);
}

void met_dead_stack(const Access& access, ThreadId owner) {
  char what[120];
  {
    PrivateHeapScope scope;
    std::snprintf(what, sizeof what, "%s", described(access, inside_function).c_str());
  }
  inside_function = nullptr;
  fail(FailureKind::kUseAfterFree,
       "use after free: %s at %p by %s, which was on the stack of %s, which has ended", what,
       reinterpret_cast<void*>(access.address), ThreadName(tag_of(accessing().id)).text(),
       ThreadName(tag_of(owner)).text());
}

void fail_second_free(const void* block, std::size_t size, const void* where) {
  static constexpr char kFormat[] = "double free of %p (%zu bytes)";
  const Pair* pair = nullptr;
  {
    PrivateHeapScope scope;
    const auto address = reinterpret_cast<std::uintptr_t>(block);
    std::uint32_t pc = 0;
    const Record64 mark = race_state.on ? shadow_mark_at(address, pc) : 0;
    if (mark != 0 && (kind_of(mark) & kFreed) != 0) {
      Message message;
      message.add(kFormat, block, size);
      pair = &marked_pair(FailureKind::kDoubleFree, std::move(message),
                          {address, 1, kWrite | kFreed, where}, mark, pc);
    }
  }
  if (pair != nullptr) end_with(pair->failure);
  fail(FailureKind::kDoubleFree, kFormat, block, size);
}

void met_leak(std::uintptr_t block, std::size_t size, std::size_t count, std::size_t bytes) {
  if (watching) return;
  PrivateHeapScope scope;
  char more[80] = "";
  if (count > 1)
    std::snprintf(more, sizeof more, " (%zu blocks with %zu bytes in all)", count, bytes);
  Message message;
  message.add("leak: %zu bytes at %p allocated by %s are lost%s", size,
              reinterpret_cast<void*>(block), ThreadName(tag_of(arena_owner(block))).text(), more);
  Candidate candidate;
  candidate.pair = block ^ 0x6c65616b;
  candidate.failure.kind = FailureKind::kLeak;
  candidate.failure.thread = arena_owner(block);
  candidate.failure.message = std::move(message);
  candidate.allocation = block;
  candidates().push_back(std::move(candidate));
  race_state.found = true;
}

void watch_allocation(const void* block) {
  if (!watching) return;
  for (Candidate& candidate : candidates())
    if (candidate.allocation == reinterpret_cast<std::uintptr_t>(block))
      candidate.failure.stack = call_stack(0);
}

bool has_candidates() { return !candidates().empty() && !watching; }

void watch_access(const Access& access) {
  PrivateHeapScope scope;
  const ThreadId thread = accessing().id;
  const auto pc = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(access.pc));
  for (Candidate& candidate : candidates()) {
    const Record64 earlier = candidate.earlier;
    if (thread_of_record(earlier) != thread || clock_of(earlier) != clock_of_thread(thread) ||
        kind_of(earlier) != access.kind || candidate.seen_exactly)
      continue;
    if (access.address >= candidate.access.address + candidate.access.size ||
        candidate.access.address >= access.address + access.size)
      continue;
    candidate.seen_exactly = pc == candidate.earlier_pc;
    if (candidate.seen && !candidate.seen_exactly) continue;
    candidate.seen = true;
    candidate.earlier_access = access;
    candidate.earlier_function = inside_function;
    candidate.failure.other.stack = stack_of(access);
    candidate.failure.other.locks = held_locks(thread);
  }
}

const Failure* judge_candidates() {
  const Failure* first = nullptr;
  for (Candidate& candidate : candidates()) {
    complete(candidate);
    Pair& pair = pairs()[candidate.pair];
    const bool silent = candidate.failure.kind == FailureKind::kDataRace &&
                        is_suppressed(candidate.failure.stack, candidate.failure.other.stack);
    pair.state = silent ? Pair::State::kSuppressed : Pair::State::kError;
    if (silent) continue;
    pair.failure = std::move(candidate.failure);
    if (first == nullptr || pair.failure.kind != FailureKind::kDataRace) {
      first = &pair.failure;
      pair.told = true;
    } else {
      untold().push_back(candidate.pair);
    }
  }
  candidates().clear();
  race_state.found = !untold().empty();
  return first;
}

const Failure* untold_failure() {
  while (!untold().empty()) {
    Pair& pair = pairs()[untold().back()];
    untold().pop_back();
    if (pair.told) continue;
    pair.told = true;
    return &pair.failure;
  }
  race_state.found = false;
  return nullptr;
}

void forget_pairs() {
  pairs().clear();
  untold().clear();
}

void ProgramMachine::forget_reports() { forget_pairs(); }

void forget_candidates() {
  race_state.found = false;
  if (!watching) candidates().clear();
  untold().clear();
}

}  // namespace mazur::native
