#include "generate.h"

#include <algorithm>
#include <random>

namespace differential {
namespace {

class Generator {
 public:
  explicit Generator(std::seed_seq seed) : random_(seed) {}

  Program program() {
    const int children = 2 + (one_in(3) ? 1 : 0) + (one_in(12) ? 1 : 0);
    atomics_ = 1 + below(kAtomics);
    locks_ = below(3) == 0 ? 0 : 1 + below(kMutexes);
    tries_ = locks_ != 0 && one_in(4);
    nests_ = locks_ == 2 && !one_in(3);
    branches_ = !one_in(3);
    stores_ = one_in(4);
    Program program;
    program.threads.resize(static_cast<std::size_t>(children) + 1);
    for (int t = 1; t <= children; ++t) {
      result_ = 0;
      budget_ = 1 + below(children == 2 ? 5 : children == 3 ? 4 : 3);
      Code& code = program.threads[static_cast<std::size_t>(t)];
      if (nests_ && !one_in(3)) add_nested_sections(code);
      while (budget_ > 0) add_statement(code, 0, {});
    }
    program.threads[0] = main_code(children);
    return program;
  }

 private:
  struct Held {
    bool mutex[kMutexes] = {};
  };

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }

  Code main_code(int children) {
    Code code;
    if (one_in(6)) code.push_back(operation());
    for (int t = 1; t <= children; ++t) {
      code.push_back({.kind = Kind::kCreate, .object = t});
      if (t < children && one_in(12)) code.push_back(operation());
    }
    budget_ = one_in(3) ? 1 + below(2) : 0;
    while (budget_ > 0) add_statement(code, 0, {});
    std::vector<int> order;
    for (int t = 1; t <= children; ++t) order.push_back(t);
    if (one_in(2)) std::reverse(order.begin(), order.end());
    for (int t : order) {
      code.push_back({.kind = Kind::kJoin, .object = t});
      if (one_in(10)) code.push_back(operation());
    }
    return code;
  }

  // Both mutexes, in one order or the other: two such threads can stop each other.
  void add_nested_sections(Code& code) {
    const int outer = below(kMutexes);
    code.push_back({.kind = Kind::kSection, .object = outer});
    Held held;
    held.mutex[outer] = true;
    if (one_in(3)) add_statement(code.back().body, 1, held);
    held.mutex[1 - outer] = true;
    Statement inner{.kind = Kind::kSection, .object = 1 - outer};
    if (one_in(2)) add_statement(inner.body, 1, held);
    code.back().body.push_back(std::move(inner));
    budget_ -= 2;
  }

  // Takes what it uses from the budget.
  void add_statement(Code& code, int depth, Held held) {
    if (depth < 2 && branches_ && one_in(5)) {
      code.push_back({.kind = Kind::kIf,
                      .reg = one_in(4) ? reg() : result_,
                      .a = {-1, below(3)},
                      .relation = static_cast<Relation>(below(3))});
      Statement& branch = code.back();
      add_body(branch.body, depth + 1, held);
      if (one_in(2)) add_body(branch.otherwise, depth + 1, held);
      return;
    }
    const int mutex = locks_ == 0 ? 0 : below(locks_);
    const bool inside =
        std::any_of(std::begin(held.mutex), std::end(held.mutex), [](bool h) { return h; });
    if (locks_ != 0 && !held.mutex[mutex] && (!inside || nests_) && one_in(inside ? 2 : 3)) {
      code.push_back({.kind = tries_ && one_in(2) ? Kind::kTry : Kind::kSection,
                      .object = mutex,
                      .reg = below(kRegisters)});
      Statement& section = code.back();
      budget_ -= 1;
      held.mutex[mutex] = true;
      // An empty section has an order with the others, too.
      if (!one_in(6)) add_body(section.body, depth + 1, held);
      return;
    }
    if (held.mutex[mutex] && one_in(2)) {
      code.push_back(one_in(2)
                         ? Statement{.kind = Kind::kPlainRead, .object = mutex, .reg = reg()}
                         : Statement{.kind = Kind::kPlainWrite, .object = mutex, .a = value()});
      if (one_in(2)) budget_ -= 1;
      return;
    }
    code.push_back(operation());
    budget_ -= 1;
  }

  void add_body(Code& body, int depth, const Held& held) {
    for (int i = 1 + below(2); i > 0; --i) add_statement(body, depth, held);
  }

  int reg() { return below(kRegisters); }
  Value value() { return one_in(3) ? Value{reg(), below(2)} : Value{-1, below(3)}; }
  Order one_of(std::initializer_list<Order> orders) {
    return *(orders.begin() + below(static_cast<int>(orders.size())));
  }

  Statement operation() {
    Statement s{.object = below(atomics_), .reg = reg(), .a = value(), .b = value()};
    using enum Order;
    result_ = s.reg;
    switch (stores_ && one_in(2) ? 3 : below(8)) {
      case 0:
      case 1:
      case 2:
        s.kind = Kind::kLoad;
        s.order = one_of({kRelaxed, kAcquire, kSeqCst});
        return s;
      case 3:
      case 4:
        s.kind = Kind::kStore;
        s.order = one_of({kRelaxed, kRelease, kSeqCst});
        return s;
      case 5:
        s.kind = one_in(2) ? Kind::kAdd : Kind::kExchange;
        s.order = one_of({kRelaxed, kAcquire, kRelease, kBoth, kSeqCst});
        return s;
      default:
        s.kind = one_in(2) ? Kind::kCompareSwap : Kind::kCompareOld;
        s.order = one_of({kRelaxed, kAcquire, kRelease, kBoth, kSeqCst});
        // Compilers warn of a failure order that is stronger than the other.
        s.failure = s.order == kSeqCst ? one_of({kRelaxed, kAcquire, kSeqCst})
                    : s.order == kAcquire || s.order == kBoth ? one_of({kRelaxed, kAcquire})
                                                              : kRelaxed;
        return s;
    }
  }

  std::mt19937_64 random_;
  int atomics_ = 1, locks_ = 0;
  bool tries_ = false, nests_ = false, branches_ = false, stores_ = false;
  int budget_ = 0;
  int result_ = 0;  // the register that the last operation has written
};

}  // namespace

Program generate(std::uint64_t seed, std::uint64_t number, unsigned attempt) {
  const auto word = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
  return Generator(std::seed_seq{word(seed), word(seed >> 32), word(number), word(number >> 32),
                                 static_cast<std::uint32_t>(attempt)})
      .program();
}

}  // namespace differential
