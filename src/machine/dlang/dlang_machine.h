// A dlang program behind the Machine interface.
//
// A statement that touches global variables or mutexes is one event, as it is one transition in the
// thesis. The local statements up to the next such one belong to it. A statement that touches
//   one element   is a load, a store, a read-modify-write or a compare-exchange of it;
//   several       is an atomic block (trace/atomic_block/block.h). If no index depends on global
//                 variables, what it touches is known before it runs and does not depend on what it
//                 reads. Otherwise that shows when it runs.
//
// Process n of the program is thread n, from 1. Thread 0 does not exist.
#pragma once

#include <optional>
#include <vector>

#include "machine/dlang/evaluate.h"
#include "machine/dlang/program.h"
#include "machine/machine.h"
#include "trace/atomic_block/block.h"

namespace mazur::dlang {

inline ThreadId thread_of(std::size_t process) { return static_cast<ThreadId>(process + 1); }

struct MachineOptions {
  // All accesses to an element depend on each other, reads included. The classic algorithm's paper
  // assumes this of communication objects, and so does the thesis' implementation of it.
  bool reads_conflict = false;
  // After so many statements between two visible ones, a process is said not to end.
  std::uint64_t max_local_statements = 1000000;
};

class DlangMachine final : public Machine {
 public:
  // The program must outlive the machine.
  explicit DlangMachine(const Program& program, const MachineOptions& options = {});

  void restart() override;
  const Frontier& frontier() override { return now_.frontier; }
  // A step that is not possible changes nothing and is a failure of kind kUnsupported.
  const Event& run(Step step) override;
  const Failure* failure() const override { return failure_ ? &*failure_ : nullptr; }
  bool finished() const override { return now_.frontier.threads().empty(); }
  bool name_states() override {
    naming_ = true;
    name_state();
    return true;
  }
  ThreadId holder(const Operation& op) const override;

  // For tests and searches: the values of all global variables, and a name of the whole state.
  const std::vector<std::int64_t>& globals() const { return now_.globals; }
  std::vector<std::int64_t> fingerprint() const;

 private:
  struct ProcessState {
    std::uint32_t pc = 0;
    bool inserting = false;  // between two attempts of an indexer statement
    bool failed = false;
    // What the pending statement stores or compares with, worked out when the process came to it.
    std::int64_t value = 0;
    std::int64_t expected = 0;
    std::uint32_t element = 0;
  };
  struct State {
    std::vector<std::int64_t> globals;
    std::vector<std::int64_t> locals;  // those of process 0, of process 1, ...
    std::vector<ThreadId> owners;      // of mutexes; 0: free
    std::vector<ProcessState> processes;
    Frontier frontier;
  };
  Variables variables(std::size_t process) {
    return {now_.globals.data(), now_.locals.data() + process * program_.locals};
  }
  const Statement& statement(std::size_t process) const {
    return program_.processes[process].code[now_.processes[process].pc];
  }
  std::int64_t& storage(std::size_t process, const Place& place, std::uint32_t element);
  std::int64_t variable(std::size_t process, const Place& place);

  // Runs local statements up to the next visible one. False: the process has ended.
  bool advance(std::size_t process, Pending& pending);
  // Fills in what the process is about to do. False: it failed.
  bool announce(std::size_t process, const Statement& s, Pending& pending);
  bool announce_access(std::size_t process, const Statement& s, Pending& pending);
  bool start_insertion(std::size_t process, const Statement& s, bool& done);
  bool is_moving(const Statement& s) const;
  bool find_touched(std::size_t process, const Statement& s);
  // Carries a statement out and goes on to the next. False: the process failed.
  bool carry_out(std::size_t process, const Statement& s);
  bool carry_out_cas(std::size_t process, const Statement& s);
  void run_access(std::size_t process, const Statement& s, Label& label);
  void run_cas(std::size_t process, const Statement& s, Label& label);
  void run_atomic_block(std::size_t process, const Statement& s, Label& label);
  void update_enabled();
  void name_state();

  bool fail(std::size_t process, FailureKind kind, Position at, std::string message);
  bool fail(std::size_t process, const Fault& fault);

  const Program& program_;
  const MachineOptions options_;
  bool may_wait_ = false;  // some statement can have to wait
  bool naming_ = false;    // frontiers name their state
  State initial_;
  State now_;
  std::optional<Failure> initial_failure_;
  std::optional<Failure> failure_;
  Event event_;
  std::vector<BlockAccess> touched_;  // scratch: the elements that a statement touches
};

}  // namespace mazur::dlang
