#include "trace/dependence.h"

#include "trace/access.h"
#include "trace/atomic_block/block.h"
#include "trace/wait_set.h"

namespace mazur {
namespace {

// Whether a memory operation writes.
bool is_write(const Label& l) {
  return l.kind != OpKind::kLoad && (l.kind != OpKind::kCas || wrote(l));
}

// Whether an atomic block has such an access to memory, or may have.
template <typename Test>
bool block_does(const Label& label, Test&& test) {
  if (is_unknown_block(label)) return true;
  const auto list = block_table.accesses(label);
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].space == Space::kMemory && test(list[i], block_table.reads(label)[i])) return true;
  return false;
}

constexpr std::uint64_t kAnyThread = ~std::uint64_t{0};

// Whether the accesses x of a and y of b conflict. Threads are given as woken_bit(), or kAnyThread.
bool conflicting(const Label& a, std::uint64_t thread_a, const Access& x, const Label& b,
                 std::uint64_t thread_b, const Access& y) {
  if (x.space != y.space || !overlapping(x, y) || !conflicting(x.space, x.mode, y.mode))
    return false;
  if (x.space == Space::kBarrier) {
    const bool arrival_a = x.mode == mode::kArrive;
    const bool arrival_b = y.mode == mode::kArrive;
    if (arrival_a && arrival_b) return arrival_phase(a) != arrival_phase(b);
    return arrival_a ? arrival_phase(a) == departure_phase(b)
                     : arrival_phase(b) == departure_phase(a);
  }
  if (x.space == Space::kQueue) {
    if (x.mode == mode::kWake) return (thread_a & woken_threads(b)) != 0;
    if (y.mode == mode::kWake) return (thread_b & woken_threads(a)) != 0;
  }
  return true;
}

bool dependent(const Label& a, std::uint64_t thread_a, const Label& b, std::uint64_t thread_b) {
  // Nearly all calls are about plain memory operations.
  if (is_memory(a.kind) && is_memory(b.kind) && (waits_for(a) | waits_for(b)) <= kOwnLocation)
    return a.object < b.object + b.size && b.object < a.object + a.size &&
           (is_write(a) || is_write(b));
  if (is_unknown_block(a)) return touches_anything(b);
  if (is_unknown_block(b)) return touches_anything(a);
  for (const Access& x : accesses(a))
    for (const Access& y : accesses(b))
      if (conflicting(a, thread_a, x, b, thread_b, y)) return true;
  return false;
}

}  // namespace

bool dependent(const Event& a, const Event& b) {
  return dependent(a.label, woken_bit(a.thread), b.label, woken_bit(b.thread));
}

bool dependent(const Label& a, const Label& b) { return dependent(a, kAnyThread, b, kAnyThread); }

bool dependent_next(const Event& p, const Event& q) {
  if (arrives(p.label) && arrives(q.label))
    return p.label.object == q.label.object && arrived_before(p.label) + 1 >= capacity(p.label);
  return dependent(p, q);
}

bool may_depend(const Operation& a, const Operation& b) {
  Label x, y;
  static_cast<Operation&>(x) = a;
  static_cast<Operation&>(y) = b;
  if (is_unknown_block(a)) return touches_anything(y);
  if (is_unknown_block(b)) return touches_anything(x);
  for (const Access& i : accesses(x))
    for (const Access& j : accesses(y))
      if (i.space == j.space && overlapping(i, j) && conflicting(i.space, i.mode, j.mode))
        return true;
  return false;
}

bool touches_anything(const Label& label) {
  return is_unknown_block(label) || accesses(label).count > 0;
}

bool reads_memory(const Label& label) {
  switch (label.kind) {
    case OpKind::kLoad:
    case OpKind::kRmw:
    case OpKind::kCas:
    case OpKind::kOnceEnter:
    case OpKind::kFutexWait:
    case OpKind::kAwait:
      return true;
    case OpKind::kAtomicBlock:
      return block_does(label, [](const Access&, bool reads) { return reads; });
    default:
      return false;
  }
}

bool writes_memory(const Label& label) {
  switch (label.kind) {
    case OpKind::kStore:
    case OpKind::kRmw:
    case OpKind::kOnceLeave:
      return true;
    case OpKind::kCas:
    case OpKind::kOnceEnter:
      return wrote(label);
    case OpKind::kAtomicBlock:
      return block_does(label, [](const Access& x, bool) { return x.mode == mode::kWrite; });
    default:
      return false;
  }
}

}  // namespace mazur
