#include "machine/model/program.h"

#include <algorithm>

namespace mazur::model {
namespace {

using enum Part;
using enum ObjectClass;

// In the order of Code.
constexpr std::array<Form, kCodes> kForms = {{
    {Code::kLoad, "load", OpKind::kLoad, {kResult, kPlace}},
    {Code::kStore, "store", OpKind::kStore, {kPlace, kValue}},
    {Code::kFetchAdd, "fetch_add", OpKind::kRmw, {kResult, kPlace, kValue}},
    {Code::kCas, "cas", OpKind::kCas, {kResult, kPlace, kValue, kValue2}},
    {Code::kLoadPart, "loadpart", OpKind::kLoad, {kResult, kPlace, kWays}},
    {Code::kStorePart, "storepart", OpKind::kStore, {kPlace, kWays, kValue}},
    {Code::kCasPart, "caspart", OpKind::kCas, {kResult, kPlace, kWays, kValue, kValue2}},
    {Code::kLock, "lock", OpKind::kLock, {kPlace}, kMutex},
    {Code::kTryLock, "trylock", OpKind::kTryLock, {kResult, kPlace}, kMutex},
    {Code::kUnlock, "unlock", OpKind::kUnlock, {kPlace}, kMutex},
    {Code::kRdLock, "rdlock", OpKind::kRdLock, {kPlace}, kRwLock},
    {Code::kWrLock, "wrlock", OpKind::kWrLock, {kPlace}, kRwLock},
    {Code::kTryRdLock, "tryrdlock", OpKind::kTryRdLock, {kResult, kPlace}, kRwLock},
    {Code::kTryWrLock, "trywrlock", OpKind::kTryWrLock, {kResult, kPlace}, kRwLock},
    {Code::kRwUnlock, "rwunlock", OpKind::kRdUnlock, {kPlace}, kRwLock},
    {Code::kCondWait,
     "wait",
     OpKind::kCondWait,
     {kPlace, kPlace2},
     kCondition,
     kMutex,
     OpKind::kCondWake},
    {Code::kCondTimedWait,
     "timedwait",
     OpKind::kCondWait,
     {kResult, kPlace, kPlace2},
     ObjectClass::kCondition,
     kMutex,
     OpKind::kCondWake},
    {Code::kSignal, "signal", OpKind::kCondSignal, {kPlace}, kCondition},
    {Code::kBroadcast, "broadcast", OpKind::kCondBroadcast, {kPlace}, kCondition},
    {Code::kSemWait, "semwait", OpKind::kSemWait, {kPlace}, kSemaphore},
    {Code::kSemTryWait, "semtrywait", OpKind::kSemTryWait, {kResult, kPlace}, kSemaphore},
    {Code::kSemPost, "sempost", OpKind::kSemPost, {kPlace}, kSemaphore},
    {Code::kSemRead, "semread", OpKind::kSemRead, {kResult, kPlace}, kSemaphore},
    {Code::kBarrier,
     "barrier",
     OpKind::kBarrierArrive,
     {kPlace},
     ObjectClass::kBarrier,
     kVariable,
     OpKind::kBarrierDepart},
    {Code::kArrive, "arrive", OpKind::kBarrierArrive, {kPlace}, ObjectClass::kBarrier},
    {Code::kSpawn, "spawn", OpKind::kCreate, {kThread}},
    {Code::kJoin, "join", OpKind::kJoin, {kThread}},
    {Code::kAwait, "await", OpKind::kAwait, {kPlace, kComparison, kValue}},
    {Code::kAwaitBoth, "awaitboth", OpKind::kAwait, {kPlace, kPlace2, kComparison, kValue}},
    {Code::kObserve, "observe", OpKind::kLoad, {kPlace, kComparison, kValue}},
    {Code::kSpin, "spin", OpKind::kLoad, {kPlace, kComparison, kValue}},
    {Code::kSpinBoth,
     "spinboth",
     OpKind::kLoad,
     {kPlace, kPlace2, kComparison, kValue},
     kVariable,
     kVariable,
     OpKind::kLoad},
    {Code::kSpinSwap, "spinswap", OpKind::kRmw, {kPlace, kValue}},
    {Code::kOnceEnter, "onceenter", OpKind::kOnceEnter, {kResult, kPlace}, kOnce},
    {Code::kOnceLeave, "onceleave", OpKind::kOnceLeave, {kPlace}, kOnce},
    {Code::kOnceAbandon, "onceabandon", OpKind::kOnceLeave, {kPlace}, kOnce},
    {Code::kFutexWait,
     "futexwait",
     OpKind::kFutexWait,
     {kResult, kPlace, kValue},
     kVariable,
     kVariable,
     OpKind::kFutexWoken},
    {Code::kFutexWake, "futexwake", OpKind::kFutexWake, {kPlace, kWays}},
    {Code::kSend, "send", OpKind::kSend, {kPlace, kValue, kValue2}, kMailbox},
    {Code::kReceive, "receive", OpKind::kReceive, {kResult, kValue2}, kMailbox},
    {Code::kReceiveAfter, "receiveafter", OpKind::kReceive, {kResult, kValue2}, kMailbox},
    {Code::kCount, "count", OpKind::kReceive, {kValue2}, kMailbox},
    {Code::kCountAfter, "countafter", OpKind::kReceive, {kResult, kValue2}, kMailbox},
    {Code::kInsert, "insert", OpKind::kStore, {kPlace, kValue}, kKey},
    {Code::kInsertNew, "insertnew", OpKind::kCas, {kResult, kPlace, kValue}, kKey},
    {Code::kLookup, "lookup", OpKind::kLoad, {kResult, kPlace}, kKey},
    {Code::kDelete, "delete", OpKind::kStore, {kPlace}, kKey},
    {Code::kInitMutex, "initmutex", OpKind::kInit, {kPlace}, kMutex},
    {Code::kDestroyMutex, "destroymutex", OpKind::kDestroy, {kPlace}, kMutex},
    {Code::kInitRwLock, "initrwlock", OpKind::kInit, {kPlace}, kRwLock},
    {Code::kDestroyRwLock, "destroyrwlock", OpKind::kDestroy, {kPlace}, kRwLock},
    {Code::kInitCondition, "initcondition", OpKind::kInit, {kPlace}, kCondition},
    {Code::kDestroyCondition, "destroycondition", OpKind::kDestroy, {kPlace}, kCondition},
    {Code::kInitSemaphore, "initsemaphore", OpKind::kInit, {kPlace, kValue}, kSemaphore},
    {Code::kDestroySemaphore, "destroysemaphore", OpKind::kDestroy, {kPlace}, kSemaphore},
    {Code::kInitBarrier, "initbarrier", OpKind::kInit, {kPlace}, ObjectClass::kBarrier},
    {Code::kDestroyBarrier, "destroybarrier", OpKind::kDestroy, {kPlace}, ObjectClass::kBarrier},
    {Code::kChoose, "choose", OpKind::kChoose, {kResult, kWays}},
    {Code::kYield, "yield", OpKind::kYield, {}},
    {Code::kFence, "fence", OpKind::kFence, {}},
    {Code::kExit, "exit", OpKind::kExit, {}},
    {Code::kAtomicBegin, "atomic", OpKind::kAtomicBlock, {}},
    {Code::kSet, "set", OpKind::kNone, {kResult, kValue}},
    {Code::kAdd, "add", OpKind::kNone, {kResult, kValue}},
    {Code::kMul, "mul", OpKind::kNone, {kResult, kValue}},
    {Code::kMod, "mod", OpKind::kNone, {kResult, kValue}},
    {Code::kIf, "if", OpKind::kNone, {Part::kTest, kTarget}},
    {Code::kLoop, "loop", OpKind::kNone, {Part::kTest, kTarget}},
    {Code::kAssert, "assert", OpKind::kNone, {Part::kTest}},
    {Code::kAssume, "assume", OpKind::kNone, {Part::kTest}},
    {Code::kAtomicEnd, "end", OpKind::kNone, {}},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kForms.size(); ++i)
    if (static_cast<std::size_t>(kForms[i].code) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

const Form& form(Code code) { return kForms[static_cast<std::size_t>(code)]; }

std::string_view invalid(const Program& program) {
  if (program.threads.size() > kMaxThreads || program.of(kMutex).size() > kMaxMutexes ||
      program.of(kRwLock).size() > kMaxRwLocks || program.of(kOnce).size() > kMaxOnces)
    return "too many threads or objects";
  std::vector<int> spawners(program.threads.size(), 0);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Thread& thread = program.threads[t];
    std::vector<bool> here(program.threads.size(), false);
    for (const Instruction& i : thread.code) {
      const auto registered = [](std::int8_t r) { return r >= kNoRegister && r < kRegisters; };
      if (i.reg >= kRegisters || !registered(i.place.index) || !registered(i.place2.index) ||
          !registered(i.value.reg) || !registered(i.value2.reg))
        return "no such register";
      if (has_part(i.code, kTarget) && i.target > thread.code.size()) return "no such instruction";
      if (has_part(i.code, kWays) && i.ways == 0) return "no way to go";
      if (i.order > __ATOMIC_SEQ_CST) return "no such memory order";
      if ((has_part(i.code, kPlace) && program.of(form(i.code).of_place).empty()) ||
          (has_part(i.code, kPlace2) && program.of(form(i.code).of_place2).empty()))
        return "no such object";
      if (form(i.code).kind == OpKind::kReceive && t >= program.of(kMailbox).size())
        return "a thread without a mailbox receives";
      if (!has_part(i.code, kThread)) continue;
      if (i.target >= program.threads.size()) return "no such thread";
      if (i.code == Code::kSpawn) {
        if (i.target == t) return "a thread spawns itself";
        here[i.target] = true;
      }
    }
    for (std::size_t child = 0; child < here.size(); ++child) spawners[child] += here[child];
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (spawners[t] > 1) return "a thread is spawned by two";
    if (program.threads[t].spawned != (spawners[t] == 1)) return "spawned, but not by a spawn";
  }
  for (std::int32_t capacity : program.of(ObjectClass::kBarrier))
    if (capacity < 1) return "a barrier without capacity";
  for (std::int32_t count : program.of(kSemaphore))
    if (count < 0) return "a negative semaphore";
  return {};
}

bool is_local(Code code) { return form(code).kind == OpKind::kNone; }

bool has_part(Code code, Part part) {
  const auto& parts = form(code).parts;
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

}  // namespace mazur::model
