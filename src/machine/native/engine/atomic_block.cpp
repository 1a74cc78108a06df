#include "machine/native/engine/atomic_block.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "machine/native/engine/native_machine.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/races/race_detector.h"
#include "trace/atomic_block/recorder.h"
#include "trace/operation_name.h"

namespace mazur::native {
namespace {

// The one block that may be under way: nothing switches inside of it.
struct Open {
  unsigned depth = 0;
  unsigned calls = 0;  // functions entered and not left, if the block is a function
  ThreadId thread = kNoThread;
  bool explore_plain = false;  // what it was outside
  bool hidden = false;         // no block, but begin_hidden()
  bool inner = false;          // an operation of the block is in runtime.event.label
  bool mine_before = false;    // the inner operation's mutex
  bool free_before = false;
  Label label;  // of the block
};
Open block;

BlockRecorder& recorder() {
  static auto& one = *new BlockRecorder;
  return one;
}

std::uint64_t word_at(ObjectId address) {
  std::uint64_t value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

// What blocks release has keys of its own: one for writes and one for reads, because readers do not
// order each other.
ObjectId written_key(ObjectId word) { return word | ObjectId{1} << 63; }
ObjectId read_key(ObjectId word) { return word | ObjectId{1} << 63 | 1; }

void note_memory(ObjectId object, std::size_t size, bool reads, bool writes) {
  const PrivateHeapScope scope;
  recorder().memory(object, size, reads, writes, word_at);
  if (!race_state.on) return;
  for (ObjectId word = object & ~ObjectId{7}; word < object + size; word += 8) {
    acquire_key(block.thread, written_key(word));
    if (writes) acquire_key(block.thread, read_key(word));
  }
}

int& holder_of(ObjectId mutex) { return object_at<int>(mutex); }

// To others, a mutex that begins or ends its life in a block looks as if the block had held it for
// a while.
bool is_mutex_operation(const Operation& op) {
  return op.kind == OpKind::kLock || op.kind == OpKind::kTryLock || op.kind == OpKind::kUnlock ||
         is_life(op.kind);
}

// The last operation of the block is complete: notes what came out of it.
void settle_inner() {
  synchronised();
  if (!block.inner) return;
  block.inner = false;
  const Label& label = runtime.event.label;
  if (label.kind == OpKind::kCas && label.success)
    note_memory(label.object, label.size, false, true);
  if (!is_mutex_operation(label)) return;
  const PrivateHeapScope scope;
  recorder().mutex(label.object, block.mine_before, block.free_before,
                   holder_of(label.object) == tag_of(block.thread));
}

void open_block() {
  synchronised();
  block.depth = 1;
  block.calls = 0;
  block.thread = runtime.current->id;
  block.explore_plain = runtime.explore_plain;
  block.inner = false;
  block.label = runtime.event.label;
  runtime.in_block = true;
  explore_plain(true);  // every plain access comes by
  const PrivateHeapScope scope;
  recorder().clear();
}

// Puts back what the block has written.
void undo() {
  for (const BlockRecorder::Word& word : recorder().words())
    for (unsigned i = 0; i < 8; ++i)
      if ((word.written >> i & 1) != 0)
        reinterpret_cast<unsigned char*>(word.address)[i] =
            static_cast<unsigned char>(word.before >> (i * 8));
  for (const BlockRecorder::Mutex& m : recorder().mutexes())
    if (m.mine != m.mine_before) holder_of(m.object) = m.mine_before ? tag_of(block.thread) : 0;
}

void close_block(bool undone) {
  settle_inner();
  if (race_state.on)
    for (const BlockRecorder::Word& word : recorder().words()) {
      if (word.written != 0) release_key(block.thread, written_key(word.address));
      if (word.read != 0) release_key(block.thread, read_key(word.address));
    }
  if (undone) undo();
  runtime.in_block = false;
  explore_plain(block.explore_plain);
  block.depth = 0;
  block.calls = 0;
  const PrivateHeapScope scope;
  block.label.success = !undone;
  recorder().finish(block.label, undone, word_at);
  runtime.event.label = block.label;
}

// The lock is not free, and its holder cannot run.
[[noreturn]] void wait_in_block(const Operation& operation) {
  const int holder = holder_of(operation.object);
  close_block(false);
  fail(FailureKind::kDeadlock,
       "%s waits inside an atomic block for a lock that %s holds: nobody else can run there",
       ThreadName(my_tag()).text(), ThreadName(holder).text());
}

// Notes what the operation is about to touch. Returns false if nobody looks at its results.
bool note_operation(const Operation& operation, const void* pc) {
  switch (operation.kind) {
    case OpKind::kLoad:
    case OpKind::kCas:
      note_memory(operation.object, operation.size, true, false);
      return true;
    case OpKind::kStore:
      note_memory(operation.object, operation.size, false, true);
      return true;
    case OpKind::kRmw:
      note_memory(operation.object, operation.size, true, true);
      return true;
    case OpKind::kFree:  // like an update of all of it: nothing commutes with that
      note_memory(operation.object, operation.size, true, true);
      return false;
    case OpKind::kYield:
      return false;
    case OpKind::kInit:
    case OpKind::kDestroy:
      // A block cannot do anything else with objects that are no mutexes.
      if (operation.value != static_cast<std::uint64_t>(Space::kMutex)) return false;
      [[fallthrough]];
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock:
      block.free_before = holder_of(operation.object) <= 0;
      block.mine_before = holder_of(operation.object) == tag_of(block.thread);
      return true;
    default: {
      char text[128];
      const std::string name(operation_name(operation.kind));
      std::snprintf(text, sizeof text, "%s inside an atomic block", name.c_str());
      unsupported(text, pc);
    }
  }
}

}  // namespace

Label& visible_in_block(const Operation& operation, const void* pc, Wait wait) {
  static Label nobody_looks;
  mazur_entry.sp = 0;  // the thread goes on
  nobody_looks = Label{};
  if (block.hidden) return nobody_looks;
  settle_inner();
  if (operation.kind == OpKind::kNever || operation.kind == OpKind::kExit) {
    close_block(operation.kind == OpKind::kNever);
    return visible(operation, pc, wait);
  }
  if (!note_operation(operation, pc)) return nobody_looks;
  Label& label = runtime.event.label;
  label = Label{};
  static_cast<Operation&>(label) = operation;
  label.pc = reinterpret_cast<std::uint64_t>(pc);
  block.inner = true;
  if (operation.kind == OpKind::kLock && !block.free_before) wait_in_block(operation);
  step_begins();
  return label;
}

void plain_in_block(const void* address, std::size_t size, bool writes, const void* pc) {
  if (size == 0 || block.hidden) return;
  settle_inner();
  note_memory(reinterpret_cast<ObjectId>(address), size, !writes, writes);
  if (race_state.on)
    access_slowly(reinterpret_cast<std::uintptr_t>(address), size, writes ? kWrite : kRead, pc);
}

void end_open_block() {
  if (block.hidden) return end_hidden();
  close_block(false);
}

void begin_hidden() {
  synchronised();
  block.hidden = runtime.in_block = true;
  block.explore_plain = runtime.explore_plain;
  explore_plain(true);  // every plain access comes by
}

void end_hidden() {
  block.hidden = runtime.in_block = false;
  explore_plain(block.explore_plain);
}

void forget_block() {
  if (!runtime.in_block) return;
  runtime.in_block = block.hidden = false;
  explore_plain(block.explore_plain);
  block.calls = 0;
}

namespace {

void begin(const void* pc) {
  if (!in_execution() || block.hidden) return;
  if (runtime.in_block) {
    ++block.depth;
    return;
  }
  visible({.kind = OpKind::kAtomicBlock}, pc);
  open_block();
}

void end() {
  if (!in_execution() || block.hidden) return;
  if (!runtime.in_block) fail(FailureKind::kMisuse, "an atomic block ends that was not begun");
  if (--block.depth == 0) close_block(false);
}

}  // namespace

void begin_library_block(const void* pc) { begin(pc); }
void end_library_block() { end(); }

void begin_function_block(const void* pc) {
  if (!in_execution() || block.hidden) return;
  begin(pc);
  block.calls = 1;
}

bool note_call_in_block() {
  if (block.calls == 0) return false;
  ++block.calls;
  return true;
}

void note_return_in_block() {
  if (block.calls != 0 && --block.calls == 0) end();
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT void mazur_runtime_atomic_begin() { begin(MAZUR_CALLER); }
MAZUR_EXPORT void mazur_runtime_atomic_end() { end(); }
