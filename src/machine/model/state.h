// The state of a model program and its step function. It can be copied, so that a search can
// branch. ModelMachine is the same behind the Machine interface.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/machine.h"
#include "machine/model/program.h"
#include "trace/atomic_block/recorder.h"

namespace mazur::model {

enum class Life : std::uint8_t {
  kUnborn,
  kLive,
  kEnded,
  kFailedAssertion,  // ended by it
  kMisused,          // ended by releasing what it did not hold, or the like (program.h)
  kDiverged,         // ended because its local code did not
  kAssumedAway,      // a failed assume: live, but never enabled again
};

struct ThreadState {
  Life life = Life::kUnborn;
  bool second = false;  // at the second event of a two-event instruction
  bool woken = false;   // a waiter that a signal or wake has chosen, or a loop that a write ended
  bool fruitless = false;                  // a loop that waits has ended a round and begins another
  bool asked = false;                      // it has chosen whether its operation ends spuriously
  bool spurious = false;                   // and it does
  std::uint8_t wakeups = 0, failures = 0;  // spurious ones so far
  std::uint8_t read_places = 0;            // bit 0: it has read place in this round, bit 1: place2
  std::uint16_t pc = 0;
  std::array<std::uint8_t, kMaxRwLocks> reads_held{};  // how often, per rwlock
  std::uint32_t writes_held = 0;                       // a bit set of rwlocks
  std::uint32_t once_running = 0;                      // of once flags; likewise the next two
  std::uint64_t mutexes_held = 0;
  std::uint64_t spawned = 0;
  std::uint32_t phase = 0;        // of the barrier it has arrived at
  std::uint32_t sent = 0;         // how many messages
  StoreRef last_read = kNoStore;  // of a loop that waits, under a weak memory model
  std::array<std::int32_t, kRegisters> registers{};
  friend bool operator==(const ThreadState&, const ThreadState&) = default;
};

// A message in a mailbox.
struct Message {
  std::uint16_t mailbox = 0;
  std::uint8_t alternative = 0;
  std::int32_t value = 0;
  std::uint64_t id = 0;
  friend bool operator==(const Message&, const Message&) = default;
};

// The number of the Space that objects of the class are known in: the value of kInit and kDestroy.
std::uint64_t space_number(ObjectClass c);

// After so many local instructions in a row, or instructions of one atomic block, a thread is taken
// to go on for ever.
inline constexpr int kMaxLocalSteps = 10'000;

class State {
 public:
  explicit State(const Program* program);

  // Back to the beginning: initial threads stand at their first operation.
  void reset();
  // From the next reset() on: fences are events, and steps may say which store a load reads.
  void make_weak(bool weak) { weak_ = weak; }
  // What a live thread is about to do, whether it is enabled and how many ways there are.
  Pending pending(ThreadId thread) const;
  // All live threads, in order. Enabledness of kExit included.
  void frontier(std::vector<Pending>& out) const;
  // Runs the next operation of an enabled thread. What the step says about memory must be possible
  // (can_refer).
  Event run(Step step);

  // Whether the next operation of the step's thread can read, or write, as the step says.
  bool can_refer(Step step) const;
  bool finished() const;  // every thread has ended, or kExit has run
  const ThreadState& thread(ThreadId t) const { return threads_[t]; }
  ThreadId threads() const { return static_cast<ThreadId>(threads_.size()); }
  std::int32_t variable(unsigned index) const { return words_[index]; }
  // What a load of all 8 bytes of a variable reads.
  std::uint64_t value_at(ObjectId variable) const;
  // Who holds the lock, or runs the initialiser, that a blocked operation waits for, or kNoThread.
  // If several readers hold it, the one with the lowest id.
  ThreadId holder(const Operation& op) const;
  // Threads that ended badly in the last run() or reset(), as a bit set.
  std::uint64_t failed_now() const { return failed_now_; }

  // Equal states behave equally. Two states of one program that were reached by equivalent
  // executions are equal.
  friend bool operator==(const State& a, const State& b) {
    return a.exited_ == b.exited_ && a.words_ == b.words_ && a.threads_ == b.threads_ &&
           a.messages_ == b.messages_;
  }
  std::uint64_t hash() const;
  // The hash of one thread alone, without memory and objects.
  std::uint64_t hash_of(ThreadId thread) const;
  // Appends what makes the state, so that equal names mean equal states.
  void name(std::vector<std::uint64_t>& out) const;

 private:
  std::int32_t evaluate(const ThreadState& t, const Value& v) const;
  unsigned resolve(const ThreadState& t, ObjectClass c, const Place& p) const;
  std::int32_t& word(ObjectClass c, unsigned index);
  std::int32_t word(ObjectClass c, unsigned index) const;
  bool lockable(unsigned mutex) const { return word(ObjectClass::kMutex, mutex) <= 0; }
  // Threads that sleep on a condition variable or (as a futex) on a variable, and that no signal
  // has chosen yet.
  std::uint64_t waiters(ObjectClass c, unsigned index) const;
  bool any_enabled_but(ThreadId exiting) const;
  // Parts of pending(), by what the instruction is about.
  void pending_without_place(ThreadId thread, const Instruction& in, Pending& p) const;
  void pending_memory(const ThreadState& t, const Instruction& in, Pending& p) const;
  void pending_await(const ThreadState& t, const Instruction& in, std::int32_t now,
                     Pending& p) const;
  void pending_lock_or_count(const ThreadState& t, unsigned index, std::int32_t now,
                             Pending& p) const;
  // Whether the thread is about to choose whether its operation ends spuriously, and what it does
  // if it does.
  bool offers_spurious(const ThreadState& t, const Instruction& in) const;
  void pending_spurious(const ThreadState& t, const Instruction& in, Pending& p) const;
  // Runs the choice, or an operation that ends spuriously. Returns whether the instruction is over.
  bool run_spurious(const Instruction& in, ThreadState& t, ThreadId id, Event& event);
  void pending_sleep(const ThreadState& t, const Instruction& in, unsigned index, Pending& p) const;
  void start(ThreadId thread);
  // Runs local instructions until the thread stands at an operation or is over.
  void run_local(ThreadId thread);
  // Runs one of them. False: the thread stands at an operation instead, or is over.
  bool run_one_local(ThreadId thread);
  // Whether the thread can tell by itself that the instruction it stands at is a misuse.
  bool knows_misuse(const ThreadState& t, const Instruction& in) const;
  void end(ThreadId thread, Life life);
  void wake(std::uint64_t threads, Event& event);

  // Parts of run(), by what the instruction is about. The first two return whether the event is the
  // last one of a loop that waits, or of none.
  bool run_operation(const Instruction& in, ThreadState& t, ThreadId id, Event& event);
  bool run_variable(const Instruction& in, ThreadState& t, ThreadId id, Event& event);
  void run_memory(const Instruction& in, ThreadState& t, Event& event);
  // What a load finds, and what becomes of a store: see Step::ref.
  std::int32_t find(unsigned variable, StoreRef ref) const;
  void keep(unsigned variable, std::int32_t value, Event& event);
  StoreRef newest(unsigned variable) const;
  bool run_loop(const Instruction& in, ThreadState& t, Event& event);
  void wake_loops(const Event& event);
  void run_mutex(const Instruction& in, ThreadState& t, ThreadId id, Event& event);
  void run_rwlock(const Instruction& in, ThreadState& t, Event& event);
  void run_waiting(const Instruction& in, ThreadState& t, ThreadId id, Event& event);
  void run_counting(const Instruction& in, ThreadState& t, Event& event);
  void run_once(const Instruction& in, ThreadState& t, Event& event);
  void run_message(const Instruction& in, ThreadState& t, ThreadId id, Event& event);
  void run_table(const Instruction& in, ThreadState& t, Event& event);
  std::uint64_t alternatives(const ThreadState& t, const Instruction& in) const;
  std::size_t oldest(ThreadId owner, std::uint64_t accepted) const;
  void receive(ThreadId thread, const Instruction& in, Pending& p) const;
  void run_atomic_block(ThreadId id, Event& event);
  bool run_in_atomic_block(const Instruction& in, ThreadState& t, ThreadId id,
                           BlockRecorder& block);
  std::int32_t& life_word(ObjectClass c, unsigned index);
  bool is_dead(ObjectClass c, unsigned index) const;
  bool is_in_use(ObjectClass c, unsigned index) const;
  bool misuses(const Instruction& in, const ThreadState& t) const;
  void run_misuse(const Instruction& in, const ThreadState& t, Event& event);
  void run_life(const Instruction& in, const ThreadState& t, Event& event);
  void take_mutex(unsigned mutex, ThreadState& t, ThreadId id);
  void drop_mutex(unsigned mutex, ThreadState& t);

  const Program* program_;
  // The words of the objects, class by class:
  //   variable   its value
  //   mutex      0, or the holder + 1
  //   rwlock     the number of readers, or -1 for a writer
  //   semaphore  its count
  //   barrier    two words: phase and arrivals
  //   once       0 fresh, 1 running, 2 done
  //   key        its entry
  // An object that is not alive has -1 instead, a rwlock -2, a barrier -1 as its arrivals.
  std::vector<std::int32_t> words_;
  std::array<std::uint16_t, kObjectClasses> offset_{};
  std::vector<ThreadState> threads_;
  std::vector<Message> messages_;  // by mailbox, each in order of arrival
  bool exited_ = false;
  std::uint64_t failed_now_ = 0;
  // Under a weak memory model, what each event has stored where; no variable for the others.
  struct Stored {
    std::int32_t variable = -1;
    std::int32_t value = 0;
  };
  bool weak_ = false;
  std::vector<Stored> stored_;
  std::vector<StoreRef> newest_;  // by variable
};

}  // namespace mazur::model
