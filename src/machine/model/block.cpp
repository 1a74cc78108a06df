// Atomic blocks of model programs.
#include "machine/model/state.h"

namespace mazur::model {
void State::run_atomic_block(ThreadId id, Event& event) {
  ThreadState& t = threads_[id];
  const std::vector<Instruction>& code = program_->threads[id].code;
  const std::vector<std::int32_t> words = words_;
  const std::uint64_t held = t.mutexes_held;
  BlockRecorder block;
  block.clear();
  ++t.pc;
  int depth = 1;
  for (int steps = 0; depth > 0 && t.life == Life::kLive; ++steps) {
    if (steps == kMaxLocalSteps) {
      end(id, Life::kDiverged);
    } else if (t.pc < code.size() && code[t.pc].code == Code::kAtomicBegin) {
      ++depth;
      ++t.pc;
    } else if (t.pc < code.size() && code[t.pc].code == Code::kAtomicEnd) {
      --depth;
      ++t.pc;
    } else if (!run_one_local(id) && t.life == Life::kLive) {
      if (run_in_atomic_block(code[t.pc], t, id, block))
        ++t.pc;
      else
        end(id, Life::kMisused);
    }
  }
  const bool undone = t.life == Life::kAssumedAway;
  if (undone) {
    words_ = words;
    t.mutexes_held = held;
  }
  event.label.success = !undone;
  block.finish(event.label, undone, [this](ObjectId address) {
    return widen(word(ObjectClass::kVariable,
                      static_cast<unsigned>((address - object_id(ObjectClass::kVariable, 0)) / 8)));
  });
  // Whatever it wrote ends the waiting of loops, as a store does.
  Event store{.thread = id, .choice = 0, .ways = 1, .label = {}};
  store.label.kind = OpKind::kStore;
  for (const Access& a : block_table.accesses(event.label)) {
    if (a.space != Space::kMemory || a.mode != mode::kWrite) continue;
    store.label.object = a.object;
    wake_loops(store);
  }
  if (t.life == Life::kLive) run_local(id);
}

// Runs an operation in an atomic block. False: it cannot be there.
bool State::run_in_atomic_block(const Instruction& in, ThreadState& t, ThreadId id,
                                BlockRecorder& block) {
  Event unseen;
  switch (in.code) {
    case Code::kLoad:
    case Code::kStore:
    case Code::kFetchAdd:
    case Code::kCas:
    case Code::kLoadPart:
    case Code::kStorePart:
    case Code::kCasPart: {
      const unsigned index = resolve(t, ObjectClass::kVariable, in.place);
      const std::int32_t x = word(ObjectClass::kVariable, index);
      const OpKind kind = form(in.code).kind;
      run_memory(in, t, unseen);
      const bool writes = kind == OpKind::kCas ? unseen.label.success : kind != OpKind::kLoad;
      block.memory(object_id(ObjectClass::kVariable, index) + first_byte(in),
                   is_partial(in.code) ? 2 : 8, kind != OpKind::kStore, writes,
                   [x](ObjectId) { return widen(x); });
      return true;
    }
    case Code::kLock:
    case Code::kTryLock:
    case Code::kUnlock: {
      const unsigned index = resolve(t, ObjectClass::kMutex, in.place);
      const bool mine = t.mutexes_held >> index & 1;
      const bool free = lockable(index);
      const bool waits = in.code == Code::kLock && !free;
      if (!waits) run_mutex(in, t, id, unseen);
      block.mutex(object_id(ObjectClass::kMutex, index), mine, free, t.mutexes_held >> index & 1);
      return !waits;
    }
    default:
      return false;
  }
}

}  // namespace mazur::model
