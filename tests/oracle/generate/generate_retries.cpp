// Loops that come back to where they were: polling under a lock, trying again, backing off.
#include "generator.h"

namespace mazur::model {
namespace {

// What a loop tries and what it reads goes to registers that nothing else writes.
constexpr std::uint8_t kTried = 2, kRead = 3;

struct Lockable {
  ObjectClass objects;
  Code take, try_, give;
};
constexpr Lockable kLockables[] = {
    {ObjectClass::kMutex, Code::kLock, Code::kTryLock, Code::kUnlock},
    {ObjectClass::kMutex, Code::kLock, Code::kTryLock, Code::kUnlock},
    {ObjectClass::kMutex, Code::kLock, Code::kTryLock, Code::kUnlock},
    {ObjectClass::kRwLock, Code::kRdLock, Code::kTryRdLock, Code::kRwUnlock},
    {ObjectClass::kRwLock, Code::kWrLock, Code::kTryWrLock, Code::kRwUnlock},
    {ObjectClass::kRwLock, Code::kRdLock, Code::kTryWrLock, Code::kRwUnlock},
    {ObjectClass::kSemaphore, Code::kSemWait, Code::kSemTryWait, Code::kSemPost},
};

}  // namespace

// As std::lock does it: all or none, beginning with the one that was not free.
void Generator::lock_all() {
  const unsigned count = 2 + chance(40);
  unsigned order[3] = {0, 1, 2};
  for (unsigned i = 2; i > 0; --i) std::swap(order[i], order[below(i + 1)]);
  const std::uint16_t start = here();
  const auto mutex = [&](unsigned i) {
    return Place{.base = static_cast<std::uint16_t>(order[i % count])};
  };
  const auto in_call = [&](Code code, unsigned i) {
    emit({.code = code, .reg = kTried, .ways = kInCall, .place = mutex(i), .target = start});
  };
  const auto jump = [&](Comparison comparison, std::size_t target) {
    code_->push_back({.code = Code::kIf,
                      .reg = kTried,
                      .comparison = comparison,
                      .target = static_cast<std::uint16_t>(target)});
  };
  const std::size_t size = count == 2 ? 5 : 10;  // of the code that begins with one of them
  const std::size_t end = start + count * size;
  for (unsigned first = 0; first < count; ++first) {
    in_call(Code::kLock, first);
    for (unsigned next = 1; next < count; ++next) {
      in_call(Code::kTryLock, first + next);
      const bool last = next + 1 == count;
      jump(Comparison::kNotEqual, last ? end : code_->size() + next + 2);
      for (unsigned held = next; held-- > 0;)
        emit({.code = Code::kUnlock, .place = mutex(first + held)});
      jump(Comparison::kEqual, start + (first + next) % count * size);
    }
  }
  body();
  for (unsigned i = 0; i < count; ++i) emit({.code = Code::kUnlock, .place = mutex(i)});
}

// `while (x == 1) {}`, `assume(x == 1)`, with any comparison.
void Generator::look() {
  const std::uint16_t start = here();
  const Place x{.base = static_cast<std::uint16_t>(below(shared_variables_))};
  emit({.code = Code::kLoad, .reg = kRead, .place = x});
  const Value with{.constant = static_cast<std::int32_t>(below(3))};
  const bool assumes = chance(40);
  if (!assumes && chance(20)) emit({.code = Code::kYield});
  emit({.code = assumes ? Code::kAssume : Code::kIf,
        .reg = kRead,
        .comparison = comparison(),
        .value = with,
        .target = start});
}

void Generator::retry() {
  if (shape_.looks && chance(80)) return look();
  if (chance(20)) return lock_all();
  const Lockable& kind = kLockables[below(7)];
  const auto fixed = [&](ObjectClass c) {
    return Place{
        .base = static_cast<std::uint16_t>(below(static_cast<unsigned>(program_.of(c).size())))};
  };
  const Place a = fixed(kind.objects);
  const Place b = fixed(kind.objects);
  const Place x = fixed(ObjectClass::kVariable);
  // Loops of two threads that store to one variable could go on for ever, with a change each time.
  const Place own{.base = static_cast<std::uint16_t>(own_variable(self_))};
  const std::uint16_t start = here();
  const auto take = [&](Place p) { emit({.code = kind.take, .place = p}); };
  const auto give = [&](Place p) { emit({.code = kind.give, .place = p}); };
  const auto tries = [&](Place p) { emit({.code = kind.try_, .reg = kTried, .place = p}); };
  const auto load = [&](Place p) { emit({.code = Code::kLoad, .reg = kRead, .place = p}); };
  const auto jump = [](std::uint8_t reg, Comparison comparison, std::uint16_t target) {
    return Instruction{.code = Code::kIf, .reg = reg, .comparison = comparison, .target = target};
  };
  const auto again = [&](std::uint8_t reg) {
    if (chance(25)) emit({.code = Code::kYield});
    emit(jump(reg, Comparison::kEqual, start));
  };
  const auto succeeded = jump(kTried, Comparison::kNotEqual, 0);
  const auto failed = jump(kTried, Comparison::kEqual, 0);
  switch (below(12)) {
    case 8:  // takes without giving back: this changes something each time
      emit({.code = Code::kSemTryWait, .reg = kTried, .place = fixed(ObjectClass::kSemaphore)});
      load(x);
      return again(kRead);
    case 9: {  // gives back what it had before, and takes it again
      const Place m = fixed(ObjectClass::kMutex);
      emit({.code = Code::kLock, .place = m});
      const std::uint16_t inside = here();
      load(x);
      emit({.code = Code::kUnlock, .place = m});
      emit({.code = Code::kLock, .place = m});
      emit(jump(kRead, Comparison::kEqual, inside));
      return emit({.code = Code::kUnlock, .place = m});
    }
    case 10:  // keeps what it has read, under a lock
      take(a);
      load(x);
      emit({.code = Code::kStore, .place = own, .value = {.reg = kRead}});
      give(a);
      return again(kRead);
    case 11:  // notes that it had to wait
      load(x);
      skipping(jump(kRead, Comparison::kNotEqual, 0),
               [&] { emit({.code = Code::kStore, .place = own, .value = {.constant = 1}}); });
      return again(kRead);
    case 0:
    case 1:  // looks under a lock
      take(a);
      load(x);
      give(a);
      return again(kRead);
    case 2:  // tries until it has it
      tries(a);
      again(kTried);
      body();
      return give(a);
    case 3:  // backs off
      take(a);
      tries(b);
      skipping(succeeded, [&] {
        give(a);
        again(kTried);
      });
      body();
      give(b);
      return give(a);
    case 4: {  // as std::lock does it: the lock that was not free is the first one next time
      take(a);
      tries(b);
      skipping(succeeded, [&] {
        give(a);
        take(b);
        tries(a);
        skipping(succeeded, [&] {
          give(b);
          again(kTried);
        });
      });
      body();
      give(a);
      return give(b);
    }
    case 5:  // gives back at once
      tries(a);
      skipping(failed, [&] { give(a); });
      load(x);
      return again(kRead);
    case 6:  // compares and exchanges
      load(x);
      emit({.code = Code::kCas,
            .reg = kTried,
            .place = x,
            .value = {.reg = kRead},
            .value2 = {.constant = 1, .reg = kRead}});
      return again(kTried);
    default:  // only reads
      load(fixed(ObjectClass::kVariable));
      if (chance(50)) {
        skipping(jump(kRead, Comparison::kNotEqual, 0), [&] { load(x); });
      } else {
        emit({.code = Code::kLoad, .reg = kTried, .place = x});
      }
      return again(kRead);
  }
}

}  // namespace mazur::model
