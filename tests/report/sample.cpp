#include "sample.h"

namespace mazur {
namespace {

Event event(ThreadId thread, OpKind kind, ObjectId object, std::uint64_t pc) {
  Event event;
  event.thread = thread;
  event.label.kind = kind;
  event.label.object = object;
  event.label.pc = pc;
  return event;
}

}  // namespace

Finding deadlock_sample() {
  Finding finding;
  Record& record = finding.record;
  record.kind = FailureKind::kDeadlock;
  record.thread = 1;
  record.message.add("deadlock: thread 1 waits for mutex %p held by thread 2; ...",
                     reinterpret_cast<void*>(0x2000));
  record.execution = 1234;
  record.events = {event(0, OpKind::kCreate, 1, 0x10), event(0, OpKind::kCreate, 2, 0x11),
                   event(1, OpKind::kLock, 0x1000, 0x12), event(2, OpKind::kLock, 0x2000, 0x12)};
  record.event_stacks = {{0x10}, {0x11}, {0x900, 0x12}, {0x900, 0x12}};
  for (ThreadId thread : {ThreadId{0}, ThreadId{1}, ThreadId{2}}) {
    ThreadState state;
    state.thread = thread;
    state.parent = thread == 0 ? kNoThread : ThreadId{0};
    state.op.kind = thread == 0 ? OpKind::kJoin : OpKind::kLock;
    state.op.object = thread == 0 ? 1 : thread == 1 ? 0x2000 : 0x1000;
    state.holder = thread == 0 ? kNoThread : static_cast<ThreadId>(3 - thread);
    state.stack = {0x900, thread == 0 ? std::uint64_t{0x14} : std::uint64_t{0x13}};
    record.threads.push_back(state);
  }
  record.stack = {0x900, 0x13};
  record.modules = {{0, 0, 0x5000, "/somewhere/bank"}};
  record.output = "transferring\n";
  const auto user = [](const char* function, std::uint32_t line, const char* text) {
    return std::vector<Frame>{{function, "bank.cpp", line, text, true}};
  };
  finding.places.code = {
      {0x10, user("main", 30, "std::thread one(transfer, a, b);")},
      {0x11, user("main", 31, "std::thread two(transfer, b, a);")},
      {0x12, user("transfer(Account&, Account&)", 12, "from.mutex.lock();")},
      {0x13, user("transfer(Account&, Account&)", 13, "to.mutex.lock();")},
      {0x14, user("main", 32, "one.join();")},
      {0x900, {{"std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100, "", false}}}};
  finding.places.objects = {{0x1000, "account_a"}, {0x2000, "account_b"}};
  return finding;
}

TraceFile trace_sample() {
  TraceFile file;
  file.program = "/somewhere/bank";
  file.program_hash = 0xfedcba9876543210;
  file.arguments = {"--transfers", "2", "with space\n"};
  file.directory = "/somewhere";
  file.recipe = {"clang", "/somewhere", {{"bank.cpp", 7}}, {"-O1", "util.o"}, {{"util.o", 8}}};
  file.algorithm = "optimal";
  file.isolation = Isolation::kFork;
  file.races = Races::kExplore;
  file.max_steps = 1000;
  file.finding = deadlock_sample();
  return file;
}

}  // namespace mazur
