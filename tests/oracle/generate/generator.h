// How random programs are made. generate.cpp writes what a program consists of and how its threads
// are built up, generate_operations.cpp the operations themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random_source.h"
#include "generate.h"

namespace mazur::model {

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
      : random_(seed, number),
        blocking_(!shape.narrow && (number % 2 == 1 || shape.messages)),
        shape_(shape) {}

  Program run();

 private:
  unsigned below(unsigned n) { return random_.below(n); }
  bool chance(unsigned percent) { return below(100) < percent; }

  // The program, its threads, and fragments of their code.
  void choose_objects();
  void ensure(ObjectClass c, unsigned n) {
    if (program_.of(c).size() < n) program_.of(c).resize(n, 0);
  }
  void decide_spawns(std::vector<unsigned>& share);
  void write_thread(ThreadId t, unsigned operations);
  void fragment();
  void block();
  void in_block();
  Instruction choose();
  void loop();
  void retry();
  void lock_all();
  void look();

  // A variable that only one thread names. It does not exist while the threads are written.
  unsigned own_variable(unsigned thread) const { return shared_variables_ + thread; }

  // Single instructions and what they are made of.
  void emit(Instruction in) {
    code_->push_back(in);
    if (!is_local(in.code) && left_ > 0) --left_;
  }
  std::uint16_t here() const { return static_cast<std::uint16_t>(code_->size()); }

  std::uint8_t reg() { return static_cast<std::uint8_t>(below(2)); }
  Place place(ObjectClass c) {
    Place p{.base =
                static_cast<std::uint16_t>(below(static_cast<unsigned>(program_.of(c).size())))};
    // An index could lead to a variable that is another thread's own.
    const bool own = shape_.retries && c == ObjectClass::kVariable;
    if (chance(5) && !own) p.index = static_cast<std::int8_t>(below(2));
    return p;
  }
  Value value() {
    if (shape_.narrow && chance(60)) return {.constant = 1};
    Value v{.constant = static_cast<std::int32_t>(below(3))};
    if (chance(30)) v.reg = static_cast<std::int8_t>(below(2));
    return v;
  }
  Comparison comparison() { return static_cast<Comparison>(below(4)); }
  Place variable() { return place(ObjectClass::kVariable); }

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

  // Operations.
  void memory();
  void part(Place x);
  void blocking(Feature feature);
  void life(Feature feature);
  void body();
  void section(Instruction acquire, Instruction release);
  void mutex();
  void rwlock();
  void condition();
  void semaphore();
  void once();
  void await();
  void waiting_loop();
  void futex();
  void message();
  void table();

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
  unsigned shared_variables_ = 0;
  int loops_ = 0;
  int retries_left_ = 0;  // of the thread
  unsigned blocks_ = 0;   // in percent of fragments
  int depth_ = 0;         // of blocks
  unsigned alternatives_ = 1;
  unsigned counting_ = 0;  // in percent of receives
  unsigned timeouts_ = 0;  // likewise
};

}  // namespace mazur::model
