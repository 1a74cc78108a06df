#include "generate.h"

#include <algorithm>

#include "generator.h"

namespace mazur::model {

Program Generator::run() {
  choose_objects();
  const unsigned threads = shape_.narrow ? 3 + below(2) : 2 + below(shape_.max_threads - 1);
  if (shape_.messages) program_.of(ObjectClass::kMailbox).resize(1 + below(threads));
  const unsigned operations =
      shape_.narrow ? 6 + below(4) : std::max(threads, 2 + below(shape_.max_operations - 1));
  program_.threads.resize(threads);
  std::vector<unsigned> share(threads, 1);
  for (unsigned i = threads; i < operations; ++i) ++share[below(threads)];
  decide_spawns(share);
  for (ThreadId t = 0; t < threads; ++t) write_thread(t, share[t]);
  if (shape_.retries) ensure(ObjectClass::kVariable, own_variable(threads));
  if (shape_.spurious) {
    program_.spurious_wakeups = static_cast<std::uint8_t>(below(3));
    program_.spurious_failures = static_cast<std::uint8_t>(below(2));
  }
  return std::move(program_);
}

void Generator::choose_objects() {
  blocks_ = shape_.blocks && chance(85) ? 10 + below(50) : 0;
  const unsigned few = shape_.narrow ? 2 + chance(25) : 1 + below(3);
  const unsigned variables = shape_.looks ? 1 + chance(60) : few;
  for (unsigned i = 0; i < variables; ++i)
    program_.of(ObjectClass::kVariable).push_back(chance(80) ? 0 : static_cast<int>(below(3)));
  shared_variables_ = variables;
  memory_weight_ = blocking_ ? 1 + below(6) : 10;
  if (shape_.retries) {
    ensure(ObjectClass::kMutex, 3);
    ensure(ObjectClass::kRwLock, 1 + chance(50));
    ensure(ObjectClass::kSemaphore, 1);
    program_.of(ObjectClass::kSemaphore)[0] = static_cast<std::int32_t>(below(3));
  }
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

// Some threads are started by an earlier one; some of those are joined.
void Generator::decide_spawns(std::vector<unsigned>& share) {
  parent_.assign(program_.threads.size(), kNoThread);
  if (shape_.narrow || chance(60)) return;
  for (ThreadId t = 1; t < parent_.size(); ++t) {
    if (!chance(50)) continue;
    parent_[t] = static_cast<ThreadId>(below(t));
    program_.threads[t].spawned = true;
    if (share[t] > 1 && chance(50)) --share[t];
    if (chance(5)) share[t] = 0;
  }
}

void Generator::write_thread(ThreadId t, unsigned operations) {
  code_ = &program_.threads[t].code;
  self_ = t;
  retries_left_ = 2;
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
  if (!shape_.narrow && chance(20)) emit(test(chance(70) ? Code::kAssert : Code::kAssume));
  if (t == 0 && blocking_ && chance(5)) emit({.code = Code::kExit});
}

void Generator::fragment() {
  if (blocks_ != 0 && depth_ < 2 && left_ >= 1 && chance(blocks_)) return block();
  if (shape_.narrow) return memory();
  if (shape_.retries && depth_ == 0 && retries_left_ > 0 && chance(45)) {
    --retries_left_;
    return retry();
  }
  if (shape_.looks && chance(60)) return memory();
  if (shape_.retries && depth_ == 0 && chance(25)) {  // somebody who may see what a round holds
    const Place m = place(ObjectClass::kMutex);
    return section({.code = Code::kTryLock, .reg = reg(), .place = m},
                   {.code = Code::kUnlock, .place = m});
  }
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
void Generator::block() {
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

void Generator::in_block() {
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

Instruction Generator::choose() {
  return {.code = Code::kChoose, .reg = reg(), .ways = static_cast<std::uint16_t>(2 + chance(20))};
}

// Two rounds of a fragment; the counter is a register that nothing else uses.
void Generator::loop() {
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

Program generate(std::uint64_t seed, std::uint64_t number, const Shape& shape) {
  return Generator(seed, number, shape).run();
}

}  // namespace mazur::model
