#include "generate.h"

#include <algorithm>

#include "explore/random_source.h"

namespace mazur::model {
namespace {

// What a program is about: each with a chance of its own, so that a program combines a few.
enum class Feature : std::uint8_t {
  kMutex,
  kRwLock,
  kCondition,
  kSemaphore,
  kBarrier,
  kOnce,
  kAwait,
  kLoop,
  kFutex,
  kMessage,  // this and the next only where the shape asks for them
  kTable,
};
constexpr int kFeatures = 9;

class Generator {
 public:
  Generator(std::uint64_t seed, std::uint64_t number, const Shape& shape)
      : random_(seed, number), blocking_(number % 2 == 1 || shape.messages), shape_(shape) {}

  Program run() {
    choose_objects();
    const unsigned threads = 2 + below(shape_.max_threads - 1);
    if (shape_.messages) program_.of(ObjectClass::kMailbox).resize(1 + below(threads));
    const unsigned operations = std::max(threads, 2 + below(shape_.max_operations - 1));
    program_.threads.resize(threads);
    std::vector<unsigned> share(threads, 1);
    for (unsigned i = threads; i < operations; ++i) ++share[below(threads)];
    decide_spawns(share);
    for (ThreadId t = 0; t < threads; ++t) write_thread(t, share[t]);
    return std::move(program_);
  }

 private:
  unsigned below(unsigned n) { return random_.below(n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  void choose_objects() {
    blocks_ = shape_.blocks && chance(85) ? 10 + below(50) : 0;
    const unsigned variables = 1 + below(3);
    for (unsigned i = 0; i < variables; ++i)
      program_.of(ObjectClass::kVariable).push_back(chance(80) ? 0 : static_cast<int>(below(3)));
    memory_weight_ = blocking_ ? 1 + below(6) : 10;
    if (!blocking_) return;
    const unsigned features = 1 + below(2) + chance(20);
    for (unsigned i = 0; i < features; ++i)
      features_.push_back(static_cast<Feature>(below(kFeatures)));
    if (shape_.messages) {
      // Mostly messages alone or with memory, sometimes with one other thing.
      if (chance(70))
        features_.clear();
      else
        features_.resize(1);
      features_.insert(features_.end(), 1 + below(3), Feature::kMessage);
      if (chance(25)) features_.push_back(Feature::kTable);
      memory_weight_ = below(7);
      alternatives_ = chance(50) ? 1 : 2 + below(2);
      timeouts_ = chance(50) ? 40 : 0;
      counting_ = chance(40) ? (chance(60) ? 100 : 30) : 0;
      if (counting_ == 100 && chance(70)) alternatives_ = 1, timeouts_ = 0;
    }
    // No machine has awaits whose location others write in parts, and explorers do not expect them.
    if (shape_.parts)
      std::replace(features_.begin(), features_.end(), Feature::kAwait, Feature::kLoop);
    for (Feature f : features_) {
      const unsigned n = 1 + chance(30);
      switch (f) {
        case Feature::kMutex:
          ensure(ObjectClass::kMutex, n);
          break;
        case Feature::kRwLock:
          ensure(ObjectClass::kRwLock, n);
          break;
        case Feature::kCondition:
          ensure(ObjectClass::kMutex, 1 + chance(15));
          ensure(ObjectClass::kCondition, n);
          break;
        case Feature::kSemaphore:
          ensure(ObjectClass::kSemaphore, n);
          for (std::int32_t& count : program_.of(ObjectClass::kSemaphore))
            count = static_cast<std::int32_t>(below(3));
          break;
        case Feature::kBarrier:
          ensure(ObjectClass::kBarrier, 1 + chance(15));
          for (std::int32_t& capacity : program_.of(ObjectClass::kBarrier))
            capacity = static_cast<std::int32_t>(1 + below(3));
          break;
        case Feature::kOnce:
          ensure(ObjectClass::kOnce, n);
          break;
        case Feature::kTable:
          ensure(ObjectClass::kKey, n);
          break;
        case Feature::kAwait:
        case Feature::kLoop:
        case Feature::kFutex:
        case Feature::kMessage:
          break;
      }
    }
  }

  void ensure(ObjectClass c, unsigned n) {
    if (program_.of(c).size() < n) program_.of(c).resize(n, 0);
  }

  // Some threads are started by an earlier one; some of those are joined.
  void decide_spawns(std::vector<unsigned>& share) {
    parent_.assign(program_.threads.size(), kNoThread);
    if (chance(60)) return;
    for (ThreadId t = 1; t < parent_.size(); ++t) {
      if (!chance(50)) continue;
      parent_[t] = static_cast<ThreadId>(below(t));
      program_.threads[t].spawned = true;
      if (share[t] > 1 && chance(50)) --share[t];
      if (chance(5)) share[t] = 0;
    }
  }

  void write_thread(ThreadId t, unsigned operations) {
    code_ = &program_.threads[t].code;
    self_ = t;
    left_ = operations;
    std::vector<std::uint16_t> children;
    for (std::uint16_t child = 0; child < parent_.size(); ++child)
      if (parent_[child] == t) children.push_back(child);
    for (std::uint16_t child : children) {
      while (left_ > 0 && chance(30)) fragment();
      emit({.code = Code::kSpawn, .target = child});
    }
    while (left_ > 0) fragment();
    for (std::uint16_t child : children)
      if (chance(50)) emit({.code = Code::kJoin, .target = child});
    if (parent_[t] == kNoThread && !children.empty() && chance(10)) {  // a join by somebody else
      const auto any = static_cast<std::uint16_t>(below(static_cast<unsigned>(parent_.size())));
      emit({.code = Code::kJoin, .target = any});
    }
    if (chance(20)) emit(test(chance(70) ? Code::kAssert : Code::kAssume));
    if (t == 0 && blocking_ && chance(5)) emit({.code = Code::kExit});
  }

  void emit(Instruction in) {
    code_->push_back(in);
    if (!is_local(in.code) && left_ > 0) --left_;
  }
  std::uint16_t here() const { return static_cast<std::uint16_t>(code_->size()); }

  std::uint8_t reg() { return static_cast<std::uint8_t>(below(2)); }
  Place place(ObjectClass c) {
    Place p{.base =
                static_cast<std::uint16_t>(below(static_cast<unsigned>(program_.of(c).size())))};
    if (chance(5)) p.index = static_cast<std::int8_t>(below(2));
    return p;
  }
  Value value() {
    Value v{.constant = static_cast<std::int32_t>(below(3))};
    if (chance(30)) v.reg = static_cast<std::int8_t>(below(2));
    return v;
  }
  Comparison comparison() { return static_cast<Comparison>(below(4)); }

  // A local instruction that looks at a register.
  Instruction test(Code code) {
    return {.code = code,
            .reg = reg(),
            .comparison = comparison(),
            .value = {.constant = static_cast<std::int32_t>(below(2))}};
  }

  // Emits a jump that `body` decides nothing about, and lets it go to behind the body.
  template <typename Body>
  void skipping(Instruction jump, Body body) {
    const std::size_t at = code_->size();
    code_->push_back(jump);
    body();
    (*code_)[at].target = here();
  }

  void fragment() {
    if (blocks_ != 0 && depth_ < 2 && left_ >= 1 && chance(blocks_)) return block();
    if (chance(8) && left_ >= 1) return skipping(test(Code::kIf), [this] { fragment(); });
    if (chance(3) && left_ >= 2 && loops_ == 0) return loop();
    if (chance(4)) return emit(choose());
    if (chance(2)) return emit(test(chance(60) ? Code::kAssert : Code::kAssume));
    if (chance(2)) return emit({.code = Code::kYield});
    const auto features = static_cast<unsigned>(features_.size());
    const unsigned pick = below(memory_weight_ + 6 * features);
    if (pick < memory_weight_) return memory();
    blocking(features_[(pick - memory_weight_) / 6]);
  }

  // An atomic block of a few operations that it can have; rarely one that it cannot.
  void block() {
    emit({.code = Code::kAtomicBegin});
    ++depth_;
    const unsigned operations = 1 + below(3);
    for (unsigned i = 0; i < operations; ++i) {
      if (chance(25)) {
        skipping(test(Code::kIf), [this] { in_block(); });
      } else {
        in_block();
      }
    }
    if (chance(15)) emit(test(chance(50) ? Code::kAssert : Code::kAssume));
    --depth_;
    if (chance(97)) emit({.code = Code::kAtomicEnd});
  }

  void in_block() {
    if (chance(4)) return fragment();
    const bool mutexes = !program_.of(ObjectClass::kMutex).empty();
    if (!mutexes || chance(70)) {
      memory();
      // Where it goes next depends on what it has found.
      if (chance(20)) code_->back().place.index = static_cast<std::int8_t>(below(2));
      return;
    }
    const Place m = place(ObjectClass::kMutex);
    constexpr Code kWays[] = {Code::kLock, Code::kTryLock, Code::kUnlock};
    emit({.code = kWays[below(3)], .reg = reg(), .place = m});
    if (chance(60)) emit({.code = Code::kUnlock, .place = m});
  }

  Instruction choose() {
    return {
        .code = Code::kChoose, .reg = reg(), .ways = static_cast<std::uint16_t>(2 + chance(20))};
  }

  // Two rounds of a fragment; the counter is a register that nothing else uses.
  void loop() {
    const std::uint16_t start = here();
    ++loops_;
    fragment();
    if (left_ > 0) --left_;
    emit({.code = Code::kLoop,
          .reg = kRegisters - 1,
          .comparison = Comparison::kLess,
          .value = {.constant = 2},
          .target = start});
  }

  void memory() {
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

  void part(Place x) {
    const auto at = static_cast<std::uint16_t>(1 + below(3));
    if (chance(40)) return emit({.code = Code::kLoadPart, .reg = reg(), .ways = at, .place = x});
    if (chance(60))
      return emit({.code = Code::kStorePart, .ways = at, .place = x, .value = value()});
    emit({.code = Code::kCasPart,
          .reg = reg(),
          .ways = at,
          .place = x,
          .value = value(),
          .value2 = value()});
  }

  void blocking(Feature feature) {
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
  void body() {
    if (chance(60) && left_ > 0) fragment();
    if (chance(20) && left_ > 0) fragment();
  }

  // Takes a lock in one of its ways, does something, and mostly releases it.
  void section(Instruction acquire, Instruction release) {
    const bool tries = has_part(acquire.code, Part::kResult);
    emit(acquire);
    const auto inside = [&] {
      body();
      if (chance(92)) emit(release);
    };
    if (!tries) return inside();
    skipping({.code = Code::kIf, .reg = acquire.reg, .comparison = Comparison::kEqual}, inside);
  }

  void mutex() {
    const Place m = place(ObjectClass::kMutex);
    section({.code = chance(80) ? Code::kLock : Code::kTryLock, .reg = reg(), .place = m},
            {.code = Code::kUnlock, .place = m});
  }

  void rwlock() {
    const Place w = place(ObjectClass::kRwLock);
    constexpr Code kWays[] = {Code::kRdLock, Code::kRdLock,    Code::kRdLock,   Code::kWrLock,
                              Code::kWrLock, Code::kTryRdLock, Code::kTryWrLock};
    section({.code = kWays[below(7)], .reg = reg(), .place = w},
            {.code = Code::kRwUnlock, .place = w});
  }

  void condition() {
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

  void semaphore() {
    constexpr Code kWays[] = {Code::kSemWait, Code::kSemWait,    Code::kSemWait,
                              Code::kSemPost, Code::kSemPost,    Code::kSemPost,
                              Code::kSemPost, Code::kSemTryWait, Code::kSemRead};
    emit({.code = kWays[below(9)], .reg = reg(), .place = place(ObjectClass::kSemaphore)});
  }

  void once() {
    const Place o = place(ObjectClass::kOnce);
    const std::uint8_t r = reg();
    emit({.code = Code::kOnceEnter, .reg = r, .place = o});
    skipping({.code = Code::kIf, .reg = r, .comparison = Comparison::kEqual}, [&] {
      if (chance(40) && left_ > 0) memory();
      emit({.code = chance(80) ? Code::kOnceLeave : Code::kOnceAbandon, .place = o});
    });
  }

  void await() {
    if (chance(40)) return emit({.code = Code::kStore, .place = variable(), .value = value()});
    const bool both = chance(30);
    emit({.code = both ? Code::kAwaitBoth : Code::kAwait,
          .comparison = comparison(),
          .place = variable(),
          .place2 = both ? variable() : Place{},
          .value = {.constant = static_cast<std::int32_t>(below(3))}});
  }
  void waiting_loop() {
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
  Place variable() { return place(ObjectClass::kVariable); }

  void futex() {
    if (chance(50))
      return emit({.code = Code::kFutexWake,
                   .ways = static_cast<std::uint16_t>(1 + chance(30)),
                   .place = variable()});
    emit({.code = Code::kFutexWait, .reg = reg(), .place = variable(), .value = {.constant = 0}});
  }

  // The owner of a mailbox mostly receives, the others mostly send.
  void message() {
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

  void table() {
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

  RandomSource random_;
  bool blocking_;
  Shape shape_;
  Program program_;
  std::vector<Feature> features_;
  unsigned memory_weight_ = 10;
  std::vector<ThreadId> parent_;
  std::vector<Instruction>* code_ = nullptr;
  ThreadId self_ = 0;
  unsigned left_ = 0;
  int loops_ = 0;
  unsigned blocks_ = 0;  // in percent of fragments
  int depth_ = 0;        // of blocks
  unsigned alternatives_ = 1;
  unsigned counting_ = 0;  // in percent of receives
  unsigned timeouts_ = 0;  // likewise
};

}  // namespace

Program generate(std::uint64_t seed, std::uint64_t number, const Shape& shape) {
  return Generator(seed, number, shape).run();
}

}  // namespace mazur::model
