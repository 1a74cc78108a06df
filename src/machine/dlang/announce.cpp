// What a process is about to do: the operation of its next statement.
#include <algorithm>
#include <limits>

#include "machine/dlang/dlang_machine.h"

namespace mazur::dlang {
namespace {

// `relation value` in the comparisons that an await has.
void set_comparison(Operation& op, Relation relation, std::int64_t value) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  switch (relation) {
    case Relation::kEqual:
      op.comparison = Comparison::kEqual;
      break;
    case Relation::kNotEqual:
      op.comparison = Comparison::kNotEqual;
      break;
    case Relation::kLess:
      op.comparison = Comparison::kLess;
      break;
    case Relation::kGreaterEqual:
      op.comparison = Comparison::kGreaterEqual;
      break;
    case Relation::kLessEqual:
      op.comparison = value == kMost ? Comparison::kGreaterEqual : Comparison::kLess;
      value = value == kMost ? kLeast : value + 1;
      break;
    case Relation::kGreater:
      op.comparison = value == kMost ? Comparison::kLess : Comparison::kGreaterEqual;
      value = value == kMost ? kLeast : value + 1;
      break;
  }
  op.value = bits(value);
}

}  // namespace

// Listing 6.2, lines 10-11 and 18-28: the next message and its place.
bool DlangMachine::start_insertion(std::size_t process, const Statement& s, bool& done) {
  const IndexerNames& names = program_.indexers[s.extra];
  const auto local = [&](const Place& place) -> std::int64_t& {
    return storage(process, place, program_.arrays[place.array].base);
  };
  if (local(names.m) >= variable(process, names.max)) {
    done = true;
    return true;
  }
  const std::int64_t size = variable(process, names.size);
  if (size == 0) return fail(process, FailureKind::kCrash, names.size.at, "division by zero");
  const std::int64_t m = ++local(names.m);
  const std::int64_t w = calculate(NodeKind::kAdd, calculate(NodeKind::kMul, m, names.factor),
                                   static_cast<std::int64_t>(process));
  local(names.w) = w;
  local(names.h) = calculate(NodeKind::kMod, calculate(NodeKind::kMul, w, 7), size);
  now_.processes[process].inserting = true;
  return true;
}

bool DlangMachine::announce(std::size_t process, const Statement& s, Pending& pending) {
  ProcessState& state = now_.processes[process];
  pending = Pending{};
  pending.thread = thread_of(process);
  pending.enabled = true;
  pending.pc = to_pc(s.at);
  if (s.kind != StatementKind::kLock && s.kind != StatementKind::kUnlock)
    return announce_access(process, s, pending);
  Fault fault;
  if (!locate(program_, s.target, variables(process), state.element, fault))
    return fail(process, fault);
  pending.op.kind = s.kind == StatementKind::kLock ? OpKind::kLock : OpKind::kUnlock;
  pending.op.object = mutex_id(state.element);
  if (s.kind == StatementKind::kUnlock && now_.owners[state.element] != pending.thread)
    return fail(process, FailureKind::kMisuse, s.at,
                "unlock of '" + program_.object_name(pending.op.object) +
                    "', which the process does not hold");
  return true;
}

bool DlangMachine::announce_access(std::size_t process, const Statement& s, Pending& pending) {
  ProcessState& state = now_.processes[process];
  Operation& op = pending.op;
  if (!find_touched(process, s)) return false;
  if (is_moving(s)) {
    op.kind = OpKind::kAtomicBlock;  // what it touches shows when it runs
    return true;
  }
  if (touched_.size() > 1) {
    Label label;
    block_table.intern(touched_, label);
    op = label;
    return true;
  }
  op.object = touched_[0].access.object;
  op.size = kElementSize;
  state.element = static_cast<std::uint32_t>((op.object - kFirstElement) / kElementSize);
  Fault fault;
  const Variables v = variables(process);
  if (s.kind == StatementKind::kAwait) {
    std::int64_t value = 0;
    if (!evaluate(program_, s.right, v, value, fault)) return fail(process, fault);
    op.kind = OpKind::kAwait;
    set_comparison(op, s.relation, value);
    return true;
  }
  const bool exchange =
      s.kind == StatementKind::kIndexer || (s.kind == StatementKind::kCas && s.plain);
  if (s.kind == StatementKind::kIndexer) {
    state.expected = 0;
    state.value = variable(process, program_.indexers[s.extra].w);
  } else if (exchange) {
    if (!evaluate(program_, s.left, v, state.expected, fault) ||
        !evaluate(program_, s.right, v, state.value, fault))
      return fail(process, fault);
  } else if (s.plain && s.kind == StatementKind::kAssign) {
    if (!evaluate(program_, s.left, v, state.value, fault)) return fail(process, fault);
  }
  op.kind = options_.reads_conflict ? OpKind::kRmw
            : exchange              ? OpKind::kCas
            : !s.writes             ? OpKind::kLoad
            : s.plain               ? OpKind::kStore
                                    : OpKind::kRmw;
  if (op.kind == OpKind::kCas) op.value = bits(state.expected);
  return true;
}

bool DlangMachine::is_moving(const Statement& s) const {
  for (std::uint32_t i = s.first_site; i < s.last_site; ++i)
    if (program_.sites[i].moving) return true;
  return false;
}

// Into touched_: sorted, each element once. All indices have the values from before the statement.
bool DlangMachine::find_touched(std::size_t process, const Statement& s) {
  touched_.clear();
  const bool moving = is_moving(s);
  for (std::uint32_t i = s.first_site; i < s.last_site; ++i) {
    const Site& site = program_.sites[i];
    std::uint32_t element = 0;
    Fault fault;
    if (!locate(program_, site.place, variables(process), element, fault)) {
      if (site.moving) continue;  // the statement will fail when it runs like this
      return fail(process, fault);
    }
    const Mode mode =
        site.written || options_.reads_conflict ? Mode{mode::kWrite} : Mode{mode::kRead};
    BlockAccess& a = touched_.emplace_back();
    a.access = {Space::kMemory, mode, kElementSize, element_id(element)};
    a.reads = moving && !site.written;
  }
  if (touched_.size() == 1) return true;
  std::sort(touched_.begin(), touched_.end(), [](const BlockAccess& a, const BlockAccess& b) {
    return a.access.object < b.access.object;
  });
  std::size_t last = 0;
  for (std::size_t i = 1; i < touched_.size(); ++i) {
    if (touched_[i].access.object != touched_[last].access.object) {
      touched_[++last] = touched_[i];
      continue;
    }
    if (touched_[i].access.mode == mode::kWrite) touched_[last].access.mode = mode::kWrite;
    touched_[last].reads |= touched_[i].reads;
  }
  touched_.resize(std::min(last + 1, touched_.size()));
  return true;
}

}  // namespace mazur::dlang
