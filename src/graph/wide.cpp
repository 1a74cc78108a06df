#include "graph/wide.h"

#include <algorithm>
#include <stdexcept>

#include "trace/access.h"
#include "trace/atomic_block/block.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// What is known of a mutex.
enum class Mutex : std::uint8_t { kFree, kLocked, kUnknown };

Mutex after_block(const Node& block, ObjectId mutex, Mutex before) {
  if (!block.learnt) return Mutex::kUnknown;
  unsigned place = 0;
  for (const Access& a : block_table.accesses(block.label)) {
    if (a.space != Space::kMutex) continue;
    if (a.object == mutex)
      return (block.left_locked >> place & 1) != 0 ? Mutex::kLocked : Mutex::kFree;
    ++place;
  }
  return before;
}

Mutex after(const Node& n, ObjectId mutex, Mutex before) {
  if (n.label.kind == OpKind::kAtomicBlock) return after_block(n, mutex, before);
  if (n.label.object != mutex) return before;
  switch (n.label.kind) {
    case OpKind::kUnlock:
      return Mutex::kFree;
    case OpKind::kLock:
      return Mutex::kLocked;
    case OpKind::kTryLock:
      // If it has failed, somebody else holds it, or it is not alive.
      return n.learnt && !acquired(n.label) ? before : Mutex::kLocked;
    default:
      return before;  // memory, or the life of a mutex begins or ends: held, that is an error
  }
}

bool overlaps(const Access& a, const Operation& op) {
  return a.space == Space::kMemory && a.object < op.object + op.size &&
         op.object < a.object + a.size;
}

}  // namespace

bool fits_wide_location(const Operation& op) {
  switch (op.kind) {
    case OpKind::kAtomicBlock:
    case OpKind::kLock:
    case OpKind::kTryLock:
    case OpKind::kUnlock:
    case OpKind::kInit:
    case OpKind::kDestroy:
      return true;
    default:
      return is_memory(op.kind);
  }
}

Role wide_role_of(OpKind kind) { return kind == OpKind::kLoad ? Role::kLoad : Role::kUpdate; }

Effect wide_effect_after(const ExecutionGraph& graph, const Node& e, NodeId source) {
  if (e.label.kind == OpKind::kLoad) return Effect::kLoad;
  if (e.label.kind != OpKind::kLock) return Effect::kUpdate;
  Mutex mutex = Mutex::kFree;
  for (NodeId s : graph.stores(e.location).first(graph.rank_after(e.location, source)))
    mutex = after(graph[s], e.label.object, mutex);
  return mutex == Mutex::kFree ? Effect::kUpdate : Effect::kBlocked;
}

std::uint64_t mutexes_left_locked(const Label& block) {
  const auto list = block_table.accesses(block);
  std::uint64_t locked = 0;
  unsigned place = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].space != Space::kMutex) continue;
    if (place == 64)
      throw std::logic_error("--algorithm=graph does not know atomic blocks with so many mutexes");
    if (block_table.values(block)[i].after != 0) locked |= std::uint64_t{1} << place;
    ++place;
  }
  return locked;
}

bool changes_what_is_read(const Node& store, const Operation& round) {
  const Label& l = store.label;
  if (l.kind == OpKind::kAtomicBlock && !store.learnt) return true;
  if (l.kind != OpKind::kAtomicBlock && !is_memory(l.kind)) return false;
  if (!store.learnt) return overlaps({Space::kMemory, mode::kWrite, l.size, l.object}, round);
  if ((l.kind == OpKind::kRmw || l.kind == OpKind::kCas) && l.size <= 8 && l.written == l.before)
    return false;
  const Accesses all = accesses(l);
  return std::any_of(all.begin(), all.end(),
                     [&](const Access& a) { return a.mode == mode::kWrite && overlaps(a, round); });
}

bool touches_what_is_read(const Label& label, const Operation& round) {
  const Accesses all = accesses(label);
  return std::any_of(all.begin(), all.end(), [&](const Access& a) { return overlaps(a, round); });
}

}  // namespace mazur
