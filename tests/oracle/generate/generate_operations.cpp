#include "generator.h"

namespace mazur::model {

void Generator::memory() {
  const Place x = place(ObjectClass::kVariable);
  if (shape_.parts && chance(50)) return part(x);
  if (shape_.observes && depth_ == 0 && chance(35))
    return emit({.code = Code::kObserve,
                 .comparison = comparison(),
                 .place = x,
                 .value = {.constant = static_cast<std::int32_t>(below(3))}});
  switch (below(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return emit({.code = Code::kLoad, .reg = reg(), .place = x});
    case 4:
    case 5:
    case 6:
    case 7:
      return emit({.code = Code::kStore, .place = x, .value = value()});
    case 8:
      return emit({.code = Code::kFetchAdd, .reg = reg(), .place = x, .value = {.constant = 1}});
    default:
      return emit(
          {.code = Code::kCas, .reg = reg(), .place = x, .value = value(), .value2 = value()});
  }
}

void Generator::part(Place x) {
  const auto at = static_cast<std::uint16_t>(1 + below(3));
  if (chance(40)) return emit({.code = Code::kLoadPart, .reg = reg(), .ways = at, .place = x});
  if (chance(60)) return emit({.code = Code::kStorePart, .ways = at, .place = x, .value = value()});
  emit({.code = Code::kCasPart,
        .reg = reg(),
        .ways = at,
        .place = x,
        .value = value(),
        .value2 = value()});
}

// The beginning or the end of an object.
void Generator::life(Feature feature) {
  const auto emit_life = [&](Code init, Code destroy, ObjectClass c) {
    emit({.code = chance(45) ? init : destroy,
          .place = place(c),
          .value = {.constant = static_cast<std::int32_t>(below(3))}});
    if (code_->back().code != Code::kInitSemaphore) code_->back().value = {};
  };
  switch (feature) {
    case Feature::kMutex:
      return emit_life(Code::kInitMutex, Code::kDestroyMutex, ObjectClass::kMutex);
    case Feature::kRwLock:
      return emit_life(Code::kInitRwLock, Code::kDestroyRwLock, ObjectClass::kRwLock);
    case Feature::kCondition:
      if (chance(30)) return life(Feature::kMutex);
      return emit_life(Code::kInitCondition, Code::kDestroyCondition, ObjectClass::kCondition);
    case Feature::kSemaphore:
      return emit_life(Code::kInitSemaphore, Code::kDestroySemaphore, ObjectClass::kSemaphore);
    case Feature::kBarrier:
      return emit_life(Code::kInitBarrier, Code::kDestroyBarrier, ObjectClass::kBarrier);
    default:
      return memory();
  }
}

void Generator::blocking(Feature feature) {
  if (shape_.lives && depth_ == 0 && chance(30)) return life(feature);
  switch (feature) {
    case Feature::kMutex:
      return mutex();
    case Feature::kRwLock:
      return rwlock();
    case Feature::kCondition:
      return condition();
    case Feature::kSemaphore:
      return semaphore();
    case Feature::kBarrier:
      return emit({.code = chance(85) ? Code::kBarrier : Code::kArrive,
                   .place = place(ObjectClass::kBarrier)});
    case Feature::kOnce:
      return once();
    case Feature::kAwait:
      return await();
    case Feature::kLoop:
      return waiting_loop();
    case Feature::kFutex:
      return futex();
    case Feature::kMessage:
      return message();
    case Feature::kTable:
      return table();
  }
}

// A few operations, perhaps none.
void Generator::body() {
  if (chance(60) && left_ > 0) fragment();
  if (chance(20) && left_ > 0) fragment();
}

// Takes a lock in one of its ways, does something, and mostly releases it.
void Generator::section(Instruction acquire, Instruction release) {
  const bool tries = has_part(acquire.code, Part::kResult);
  emit(acquire);
  const auto inside = [&] {
    body();
    if (chance(92)) emit(release);
  };
  if (!tries) return inside();
  skipping({.code = Code::kIf, .reg = acquire.reg, .comparison = Comparison::kEqual}, inside);
}

void Generator::mutex() {
  const Place m = place(ObjectClass::kMutex);
  section({.code = chance(80) ? Code::kLock : Code::kTryLock, .reg = reg(), .place = m},
          {.code = Code::kUnlock, .place = m});
}

void Generator::rwlock() {
  const Place w = place(ObjectClass::kRwLock);
  constexpr Code kWays[] = {Code::kRdLock, Code::kRdLock,    Code::kRdLock,   Code::kWrLock,
                            Code::kWrLock, Code::kTryRdLock, Code::kTryWrLock};
  section({.code = kWays[below(7)], .reg = reg(), .place = w},
          {.code = Code::kRwUnlock, .place = w});
}

void Generator::condition() {
  const Place c = place(ObjectClass::kCondition);
  const Place m = place(ObjectClass::kMutex);
  if (chance(50)) {
    const Instruction signal{.code = chance(70) ? Code::kSignal : Code::kBroadcast, .place = c};
    if (chance(50)) return emit(signal);
    emit({.code = Code::kLock, .place = m});
    if (chance(50)) memory();
    emit(signal);
    return emit({.code = Code::kUnlock, .place = m});
  }
  const bool timed = chance(30);
  const Instruction wait{.code = timed ? Code::kCondTimedWait : Code::kCondWait,
                         .reg = reg(),
                         .place = c,
                         .place2 = m};
  emit({.code = Code::kLock, .place = m});
  if (chance(30)) {
    const std::uint8_t r = reg();
    emit({.code = Code::kLoad, .reg = r, .place = place(ObjectClass::kVariable)});
    skipping({.code = Code::kIf, .reg = r, .comparison = comparison()}, [&] { emit(wait); });
  } else {
    emit(wait);
  }
  if (chance(30) && left_ > 0) fragment();
  if (chance(95)) emit({.code = Code::kUnlock, .place = m});
}

void Generator::semaphore() {
  constexpr Code kWays[] = {Code::kSemWait, Code::kSemWait,    Code::kSemWait,
                            Code::kSemPost, Code::kSemPost,    Code::kSemPost,
                            Code::kSemPost, Code::kSemTryWait, Code::kSemRead};
  emit({.code = kWays[below(9)], .reg = reg(), .place = place(ObjectClass::kSemaphore)});
}

void Generator::once() {
  const Place o = place(ObjectClass::kOnce);
  const std::uint8_t r = reg();
  emit({.code = Code::kOnceEnter, .reg = r, .place = o});
  skipping({.code = Code::kIf, .reg = r, .comparison = Comparison::kEqual}, [&] {
    if (chance(40) && left_ > 0) memory();
    emit({.code = chance(80) ? Code::kOnceLeave : Code::kOnceAbandon, .place = o});
  });
}

void Generator::await() {
  if (chance(40)) return emit({.code = Code::kStore, .place = variable(), .value = value()});
  const bool both = chance(30);
  emit({.code = both ? Code::kAwaitBoth : Code::kAwait,
        .comparison = comparison(),
        .place = variable(),
        .place2 = both ? variable() : Place{},
        .value = {.constant = static_cast<std::int32_t>(below(3))}});
}

void Generator::waiting_loop() {
  if (chance(30)) return emit({.code = Code::kStore, .place = variable(), .value = value()});
  constexpr Code kLoops[] = {Code::kSpin, Code::kSpin, Code::kSpinBoth, Code::kSpinSwap};
  const Code code = kLoops[below(4)];
  const bool swap = code == Code::kSpinSwap;
  emit({.code = code,
        .comparison = swap ? Comparison::kEqual : comparison(),
        .place = variable(),
        .place2 = code == Code::kSpinBoth ? variable() : Place{},
        .value = {.constant = static_cast<std::int32_t>(below(3))}});
}

void Generator::futex() {
  if (chance(50))
    return emit({.code = Code::kFutexWake,
                 .ways = static_cast<std::uint16_t>(1 + chance(30)),
                 .place = variable()});
  emit({.code = Code::kFutexWait, .reg = reg(), .place = variable(), .value = {.constant = 0}});
}

// The owner of a mailbox mostly receives, the others mostly send.
void Generator::message() {
  const bool owns = self_ < program_.of(ObjectClass::kMailbox).size();
  if (!owns || chance(35)) {
    return emit({.code = Code::kSend,
                 .place = place(ObjectClass::kMailbox),
                 .value = value(),
                 .value2 = {.constant = static_cast<std::int32_t>(below(alternatives_))}});
  }
  const bool timed = chance(timeouts_);
  const bool blind = chance(counting_);
  Instruction in{.code = blind ? (timed ? Code::kCountAfter : Code::kCount)
                               : (timed ? Code::kReceiveAfter : Code::kReceive)};
  if (in.code != Code::kCount) in.reg = reg();
  in.value2.constant = -1;
  if (alternatives_ > 1 && chance(60))
    in.value2.constant = static_cast<std::int32_t>(1 + below((1u << alternatives_) - 1));
  emit(in);
}

void Generator::table() {
  const Place k = place(ObjectClass::kKey);
  switch (below(5)) {
    case 0:
    case 1:
      return emit({.code = Code::kLookup, .reg = reg(), .place = k});
    case 2:
      return emit({.code = Code::kInsert, .place = k, .value = value()});
    case 3:
      return emit({.code = Code::kInsertNew, .reg = reg(), .place = k, .value = value()});
    default:
      return emit({.code = Code::kDelete, .place = k});
  }
}

}  // namespace mazur::model
