#include "machine/dlang/dlang_machine.h"

#include <algorithm>

#include "trace/comparison.h"

namespace mazur::dlang {
namespace {

std::size_t process_of(ThreadId thread) { return thread - std::size_t{1}; }

}  // namespace

DlangMachine::DlangMachine(const Program& program, const MachineOptions& options)
    : program_(program), options_(options) {
  const std::size_t processes = program.processes.size();
  now_.globals.resize(program.globals);
  now_.locals.resize(program.locals * processes);
  now_.owners.resize(program.mutexes);
  now_.processes.resize(processes);
  for (const Array& array : program.arrays) {
    if (array.storage == Storage::kGlobal)
      std::copy(array.initial.begin(), array.initial.end(), now_.globals.begin() + array.base);
    if (array.storage == Storage::kLocal)
      for (std::size_t p = 0; p < processes; ++p)
        std::copy(
            array.initial.begin(), array.initial.end(),
            now_.locals.begin() + static_cast<std::ptrdiff_t>(p * program.locals) + array.base);
  }
  for (const Process& process : program.processes)
    for (const Statement& s : process.code)
      may_wait_ = may_wait_ || s.kind == StatementKind::kLock || s.kind == StatementKind::kAwait;
  for (std::size_t p = 0; p < processes; ++p) {
    Pending pending;
    if (advance(p, pending)) now_.frontier.mutable_threads().push_back(pending);
    if (failure_ && !initial_failure_) initial_failure_ = failure_;
  }
  failure_ = initial_failure_;
  update_enabled();
  initial_ = now_;
}

void DlangMachine::restart() {
  now_ = initial_;
  failure_ = initial_failure_;
  if (naming_) name_state();
}

const Event& DlangMachine::run(Step step) {
  std::vector<Pending>& threads = now_.frontier.mutable_threads();
  const auto pending = std::find_if(threads.begin(), threads.end(),
                                    [&](const Pending& p) { return p.thread == step.thread; });
  event_ = {.thread = step.thread, .choice = step.choice, .ways = 1, .label = {}};
  failure_.reset();
  if (pending == threads.end() || !pending->enabled || step.choice != 0) {
    failure_ = Failure{.kind = FailureKind::kUnsupported,
                       .thread = step.thread,
                       .message = "not a possible step: thread " + std::to_string(step.thread),
                       .stack = {},
                       .locks = {},
                       .other = {}};
    return event_;
  }
  const std::size_t process = process_of(step.thread);
  const Statement& s = statement(process);
  Label& label = event_.label;
  static_cast<Operation&>(label) = pending->op;
  label.pc = pending->pc;
  if (s.kind == StatementKind::kLock) {
    now_.owners[now_.processes[process].element] = step.thread;
    ++now_.processes[process].pc;
  } else if (s.kind == StatementKind::kUnlock) {
    now_.owners[now_.processes[process].element] = 0;
    ++now_.processes[process].pc;
  } else if (label.kind == OpKind::kAtomicBlock) {
    run_atomic_block(process, s, label);
  } else if (s.kind == StatementKind::kIndexer || (s.kind == StatementKind::kCas && s.plain)) {
    run_cas(process, s, label);
  } else {
    run_access(process, s, label);
  }
  if (now_.processes[process].failed || !advance(process, *pending)) threads.erase(pending);
  if (may_wait_) update_enabled();
  if (naming_) name_state();
  return event_;
}

// Runs a compare-exchange of one element with values that are known.
void DlangMachine::run_cas(std::size_t process, const Statement& s, Label& label) {
  ProcessState& state = now_.processes[process];
  std::int64_t& value = now_.globals[state.element];
  label.before = label.read = bits(value);
  const bool success = value == state.expected;
  if (success) value = state.value;
  label.written = bits(value);
  label.success = success || label.kind != OpKind::kCas;
  if (s.kind == StatementKind::kIndexer) {
    if (success) {
      state.inserting = false;
    } else {
      // Listing 6.2, line 13.
      const IndexerNames& names = program_.indexers[s.extra];
      const std::int64_t size = variable(process, names.size);
      const std::int64_t h = variable(process, names.h);
      storage(process, names.h, program_.arrays[names.h.array].base) =
          calculate(NodeKind::kMod, calculate(NodeKind::kAdd, h, 1), size);
    }
    return;
  }
  if (s.has_result) {
    std::uint32_t element = 0;
    Fault fault;
    if (!locate(program_, s.result, variables(process), element, fault)) {
      fail(process, fault);
      return;
    }
    storage(process, s.result, element) = success ? 1 : 0;
  }
  ++state.pc;
}

// Runs a statement that touches several elements.
void DlangMachine::run_atomic_block(std::size_t process, const Statement& s, Label& label) {
  const auto value_of = [this](const BlockAccess& a) {
    return bits(now_.globals[(a.access.object - kFirstElement) / kElementSize]);
  };
  find_touched(process, s);
  for (BlockAccess& a : touched_) a.before = value_of(a);
  carry_out(process, s);
  for (BlockAccess& a : touched_) a.after = value_of(a);
  block_table.intern(touched_, label);
}

void DlangMachine::run_access(std::size_t process, const Statement& s, Label& label) {
  const std::int64_t& value = now_.globals[(label.object - kFirstElement) / kElementSize];
  label.before = label.read = bits(value);
  carry_out(process, s);
  label.written = bits(value);
  if (label.kind == OpKind::kLoad || label.kind == OpKind::kAwait) label.written = label.before = 0;
  if (label.kind == OpKind::kStore) label.read = 0;
}

bool DlangMachine::advance(std::size_t process, Pending& pending) {
  const std::vector<Statement>& code = program_.processes[process].code;
  ProcessState& state = now_.processes[process];
  for (std::uint64_t left = options_.max_local_statements; state.pc < code.size(); --left) {
    const Statement& s = code[state.pc];
    if (left == 0)
      return fail(process, FailureKind::kLivelock, s.at,
                  "the process does not end and does not come to a global variable any more");
    if (s.kind == StatementKind::kIndexer) {
      bool done = false;
      if (!state.inserting && !start_insertion(process, s, done)) return false;
      if (!done) return announce(process, s, pending);
      ++state.pc;
    } else if (s.reads || s.writes || s.kind == StatementKind::kLock ||
               s.kind == StatementKind::kUnlock) {
      return announce(process, s, pending);
    } else if (!carry_out(process, s)) {
      return false;
    }
  }
  return false;
}

bool DlangMachine::carry_out(std::size_t process, const Statement& s) {
  ProcessState& state = now_.processes[process];
  const Variables v = variables(process);
  Fault fault;
  std::int64_t left = 0, right = 0;
  std::uint32_t element = 0;
  switch (s.kind) {
    case StatementKind::kAssign:
      if (!locate(program_, s.target, v, element, fault) ||
          !evaluate(program_, s.left, v, left, fault))
        return fail(process, fault);
      storage(process, s.target, element) = left;
      break;
    case StatementKind::kTest:
    case StatementKind::kAssert:
      if (!evaluate(program_, s.left, v, left, fault) ||
          !evaluate(program_, s.right, v, right, fault))
        return fail(process, fault);
      if (holds(s.relation, left, right)) break;
      if (s.kind == StatementKind::kAssert)
        return fail(
            process, FailureKind::kAssertion, s.at,
            "assertion failed: " + program_.source.substr(s.text_begin, s.text_end - s.text_begin) +
                " (" + std::to_string(left) + " " + std::string(symbol(s.relation)) + " " +
                std::to_string(right) + ")");
      state.pc = s.jump;
      return true;
    case StatementKind::kJump:
      state.pc = s.jump;
      return true;
    case StatementKind::kCas:
      if (!carry_out_cas(process, s)) return false;
      break;
    default:  // an await that may go on
      break;
  }
  ++state.pc;
  return true;
}

bool DlangMachine::carry_out_cas(std::size_t process, const Statement& s) {
  const Variables v = variables(process);
  Fault fault;
  std::int64_t expected = 0, value = 0;
  std::uint32_t element = 0, result = 0;
  if (!locate(program_, s.target, v, element, fault) ||
      !evaluate(program_, s.left, v, expected, fault) ||
      !evaluate(program_, s.right, v, value, fault) ||
      (s.has_result && !locate(program_, s.result, v, result, fault)))
    return fail(process, fault);
  std::int64_t& target = storage(process, s.target, element);
  const bool success = target == expected;
  if (success) target = value;
  if (s.has_result) storage(process, s.result, result) = success ? 1 : 0;
  return true;
}

std::int64_t& DlangMachine::storage(std::size_t process, const Place& place,
                                    std::uint32_t element) {
  return program_.arrays[place.array].storage == Storage::kGlobal
             ? now_.globals[element]
             : now_.locals[process * program_.locals + element];
}

// A variable that is local or const.
std::int64_t DlangMachine::variable(std::size_t process, const Place& place) {
  const Array& array = program_.arrays[place.array];
  return array.storage == Storage::kConst ? array.initial[place.element]
                                          : storage(process, place, array.base);
}

void DlangMachine::update_enabled() {
  for (Pending& p : now_.frontier.mutable_threads()) {
    const std::uint32_t element = now_.processes[process_of(p.thread)].element;
    if (p.op.kind == OpKind::kLock) {
      p.enabled = now_.owners[element] == 0;
    } else if (p.op.kind == OpKind::kAwait) {
      p.enabled = compare(now_.globals[element], p.op.comparison,
                          static_cast<std::int64_t>(compared_with(p.op)));
      p.holds = p.enabled ? 1 : 0;
    }
  }
}

ThreadId DlangMachine::holder(const Operation& op) const {
  if (op.kind != OpKind::kLock) return kNoThread;
  const ThreadId owner = now_.owners[op.object - kFirstMutex];
  return owner == 0 ? kNoThread : owner;
}

std::vector<std::int64_t> DlangMachine::fingerprint() const {
  std::vector<std::int64_t> all = now_.globals;
  all.insert(all.end(), now_.locals.begin(), now_.locals.end());
  all.insert(all.end(), now_.owners.begin(), now_.owners.end());
  for (const ProcessState& state : now_.processes) {
    all.push_back(state.pc);
    all.push_back(state.failed ? 1 : 0);
  }
  return all;
}

void DlangMachine::name_state() {
  StateName& name = now_.frontier.mutable_state();
  name.clear();
  for (const std::vector<std::int64_t>* values : {&now_.globals, &now_.locals})
    for (std::int64_t v : *values) name.push_back(static_cast<std::uint64_t>(v));
  name.insert(name.end(), now_.owners.begin(), now_.owners.end());
  for (const ProcessState& state : now_.processes) {
    name.push_back(std::uint64_t{state.pc} << 2 | (state.inserting ? 2 : 0) |
                   (state.failed ? 1 : 0));
    name.push_back(static_cast<std::uint64_t>(state.value));
    name.push_back(static_cast<std::uint64_t>(state.expected));
    name.push_back(state.element);
  }
}

bool DlangMachine::fail(std::size_t process, FailureKind kind, Position at, std::string message) {
  now_.processes[process].failed = true;
  failure_ = Failure{.kind = kind,
                     .thread = thread_of(process),
                     .message = std::move(message),
                     .stack = {to_pc(at)},
                     .locks = {},
                     .other = {}};
  return false;
}

bool DlangMachine::fail(std::size_t process, const Fault& fault) {
  return fail(process, FailureKind::kCrash, fault.at, fault.describe(program_));
}

}  // namespace mazur::dlang
