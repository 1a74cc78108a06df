#include "machine/native/engine/fork_machine.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "machine/native/memory/raw.h"
#include "machine/native/system/finish.h"
#include "trace/atomic_block/block.h"
#include "trace/wait_set.h"

namespace mazur::native {

// What the two processes share. One writes while the other waits for `turn`.
struct ForkMachine::Shared {
  enum Turn : std::uint32_t { kParent, kChild };
  static constexpr std::size_t kText = 2048;
  static constexpr std::size_t kMentions = 8;
  static constexpr std::size_t kStack = 128;
  static constexpr std::size_t kBlockAccesses = 1 << 16;
  static constexpr std::size_t kDetails = 64 << 20;

  std::atomic<std::uint32_t> turn{kParent};
  Command command = Command::kStart;
  Step step;
  Event event;
  bool finished = false;
  bool left_behind = false;
  bool stands_still = false;
  FailureKind failure = FailureKind::kNone;
  ThreadId failed_thread = kNoThread;
  char message[kText];
  std::uint32_t mention_count = 0;
  Mention mentions[kMentions];
  std::uint32_t stack_size = 0;
  std::uint64_t stack[kStack];
  ThreadId other_thread = kNoThread;
  char other_what[128];
  std::uint32_t other_stack_size = 0;
  std::uint64_t other_stack[kStack];
  std::uint32_t thread_count = 0;
  Pending threads[kMaxThreads];
  ThreadId holders[kMaxThreads];
  std::uint32_t block_size = 0;
  BlockAccess block[kBlockAccesses];  // what an atomic block did
  std::uint64_t details_size = 0;
  char details[kDetails];  // an encoded Record with threads, event stacks and output
};

namespace {

void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t value, const timespec* timeout) {
  raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT, value,
              reinterpret_cast<long>(timeout));
}

void hand_over(std::atomic<std::uint32_t>& word, std::uint32_t to) {
  word.store(to);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAKE, 1);
}

}  // namespace

ForkMachine::~ForkMachine() { end_child(); }

void ForkMachine::end_child() {
  if (child_ <= 0) return;
  raw_syscall(SYS_kill, child_, SIGKILL);
  raw_syscall(SYS_wait4, child_, 0, 0, 0);
  child_ = -1;
}

void ForkMachine::restart() {
  end_child();
  if (shared_ == nullptr) {
    const long block = raw_syscall(SYS_mmap, 0, sizeof(Shared), PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block < 0 && block > -4096) die("cannot map memory to share (error %ld)", -block);
    shared_ = new (reinterpret_cast<void*>(block)) Shared;
    const long sets = raw_syscall(SYS_mmap, 0, static_cast<long>(wait_sets_size()),
                                  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (sets < 0 && sets > -4096) die("cannot map memory to share (error %ld)", -sets);
    keep_wait_sets_in(reinterpret_cast<void*>(sets));
  }
  ++runtime.execution;
  shared_->turn.store(Shared::kParent);
  child_ = raw_syscall(SYS_fork);
  if (child_ < 0) die("cannot fork (error %ld)", -child_);
  if (child_ == 0) serve();
  if (ask(Command::kStart)) read_state();
}

const Event& ForkMachine::run(Step step) {
  shared_->step = step;
  if (ask(Command::kRun)) read_state();
  // The child's table of blocks is not ours.
  if (shared_->event.label.kind == OpKind::kAtomicBlock)
    block_table.intern({shared_->block, shared_->block_size}, shared_->event.label);
  return shared_->event;
}

bool ForkMachine::ask(Command command) {
  has_failure_ = false;
  shared_->command = command;
  hand_over(shared_->turn, Shared::kChild);
  while (shared_->turn.load() == Shared::kChild) {
    const timespec patience{0, 100'000'000};
    wait_while(shared_->turn, Shared::kChild, &patience);
    if (shared_->turn.load() == Shared::kParent) break;
    int status = 0;
    if (raw_syscall(SYS_wait4, child_, reinterpret_cast<long>(&status), WNOHANG, 0) == child_) {
      child_died(status);
      return false;
    }
  }
  return true;
}

void ForkMachine::child_died(int status) {
  child_ = -1;
  char text[128];
  if (WIFSIGNALED(status))
    std::snprintf(text, sizeof text, "the process of the execution was killed by signal %d",
                  WTERMSIG(status));
  else
    std::snprintf(text, sizeof text, "the process of the execution ended with status %d",
                  WEXITSTATUS(status));
  has_failure_ = true;
  failure_ = Failure{.kind = FailureKind::kUnsupported, .message = text};
  frontier_.mutable_threads().clear();
  finished_ = true;
}

void ForkMachine::read_state() {
  frontier_.mutable_threads().assign(shared_->threads, shared_->threads + shared_->thread_count);
  holders_.assign(shared_->holders, shared_->holders + shared_->thread_count);
  finished_ = shared_->finished;
  left_behind_ = shared_->left_behind;
  stands_still_ = shared_->stands_still;
  has_failure_ = shared_->failure != FailureKind::kNone;
  if (!has_failure_) return;
  failure_.kind = shared_->failure;
  failure_.thread = shared_->failed_thread;
  failure_.message = shared_->message;
  failure_.message.mentions.assign(shared_->mentions, shared_->mentions + shared_->mention_count);
  failure_.stack.assign(shared_->stack, shared_->stack + shared_->stack_size);
  failure_.other.thread = shared_->other_thread;
  failure_.other.what = shared_->other_what;
  failure_.other.stack.assign(shared_->other_stack,
                              shared_->other_stack + shared_->other_stack_size);
}

ThreadId ForkMachine::holder(const Operation& op) const {
  const auto threads = frontier_.threads();
  for (std::size_t i = 0; i < threads.size(); ++i)
    if (threads[i].op == op) return holders_[i];
  return kNoThread;
}

Details ForkMachine::details() {
  if (child_ <= 0 || !ask(Command::kDescribe)) return {};
  read_state();
  auto record = decode_record({shared_->details, shared_->details_size});
  if (!record) return {};
  return static_cast<Details&&>(*record);
}

void ForkMachine::serve() {
  // The session may end with an execution under way: nobody would wake this process again.
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  install_signal_handlers(runtime.channel->request.gdb == 0);  // timers are not inherited
  Trace trace;
  native_.follow(&trace);
  for (;;) {
    while (shared_->turn.load() == Shared::kParent)
      wait_while(shared_->turn, Shared::kParent, nullptr);
    switch (shared_->command) {
      case Command::kStart:
        native_.restart();
        break;
      case Command::kRun:
        shared_->event = native_.run(shared_->step);
        trace.append(shared_->event);
        if (const Label& label = shared_->event.label; label.kind == OpKind::kAtomicBlock) {
          const std::vector<BlockAccess> list = block_table.contents(label);
          if (list.size() > Shared::kBlockAccesses)
            die("an atomic block has more than 65536 accesses");
          shared_->block_size = static_cast<std::uint32_t>(list.size());
          std::copy(list.begin(), list.end(), shared_->block);
        }
        break;
      case Command::kDescribe: {
        Record record;
        static_cast<Details&>(record) = native_.details();
        record.events.resize(record.event_stacks.size());  // a record has as many of both
        const std::string bytes = encode(record);
        shared_->details_size = bytes.size() <= Shared::kDetails ? bytes.size() : 0;
        std::memcpy(shared_->details, bytes.data(), shared_->details_size);
        break;
      }
    }
    publish();
    hand_over(shared_->turn, Shared::kParent);
  }
}

void ForkMachine::publish() {
  const auto threads = native_.frontier().threads();
  shared_->thread_count = static_cast<std::uint32_t>(threads.size());
  for (std::size_t i = 0; i < threads.size(); ++i) {
    shared_->threads[i] = threads[i];
    shared_->holders[i] = native_.holder(threads[i].op);
  }
  shared_->finished = native_.finished();
  shared_->left_behind = native_.left_behind();
  bool enabled = false, in_vain = false;
  for (const Pending& p : threads) {
    enabled = enabled || p.enabled;
    in_vain = in_vain || is_in_vain(p.op);
  }
  shared_->stands_still = !enabled && in_vain && native_.stands_still();
  const Failure* failure = native_.failure();
  shared_->failure = failure != nullptr ? failure->kind : FailureKind::kNone;
  if (failure == nullptr) return;
  shared_->failed_thread = failure->thread;
  Message message = failure->message;
  message.cut(Shared::kText - 1);
  std::memcpy(shared_->message, message.text.c_str(), message.text.size() + 1);
  shared_->mention_count =
      static_cast<std::uint32_t>(std::min(message.mentions.size(), Shared::kMentions));
  std::copy_n(message.mentions.begin(), shared_->mention_count, shared_->mentions);
  shared_->stack_size = static_cast<std::uint32_t>(std::min(failure->stack.size(), Shared::kStack));
  std::copy_n(failure->stack.begin(), shared_->stack_size, shared_->stack);
  const OtherSide& other = failure->other;
  shared_->other_thread = other.thread;
  std::snprintf(shared_->other_what, sizeof shared_->other_what, "%s", other.what.c_str());
  shared_->other_stack_size =
      static_cast<std::uint32_t>(std::min(other.stack.size(), Shared::kStack));
  std::copy_n(other.stack.begin(), shared_->other_stack_size, shared_->other_stack);
}

}  // namespace mazur::native
