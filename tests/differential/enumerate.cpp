#include "enumerate.h"

#include <algorithm>
#include <unordered_map>

namespace differential {
namespace {

constexpr int kObjects = kAtomics + kMutexes;
constexpr int kSteps = 24;          // of one thread
constexpr int kLargestValue = 200;  // a byte must hold each
constexpr std::uint8_t kReads = 1, kWrites = 2;
constexpr std::uint8_t kNobody = 0xff;

// A thread's code without structure.
struct Instruction {
  enum class Code : std::uint8_t { kStatement, kLock, kTryLock, kUnlock, kSkipUnless, kJump, kEnd };
  Code code = Code::kEnd;
  const Statement* statement = nullptr;
  std::size_t target = 0;  // of kSkipUnless, kJump, and kTryLock if it fails
};
using Instructions = std::vector<Instruction>;
using enum Instruction::Code;

void flatten(const Code& code, Instructions& out) {
  for (const Statement& s : code) {
    switch (s.kind) {
      case Kind::kIf: {
        const std::size_t skip = out.size();
        out.push_back({kSkipUnless, &s});
        flatten(s.body, out);
        const std::size_t jump = out.size();
        out.push_back({kJump, &s});
        out[skip].target = out.size();
        flatten(s.otherwise, out);
        out[jump].target = out.size();
        break;
      }
      case Kind::kSection:
      case Kind::kTry: {
        const std::size_t lock = out.size();
        out.push_back({s.kind == Kind::kTry ? kTryLock : kLock, &s});
        flatten(s.body, out);
        out.push_back({kUnlock, &s});
        out[lock].target = out.size();
        break;
      }
      default:
        out.push_back({kStatement, &s});
    }
  }
}

struct Step {
  std::uint8_t object;
  std::uint8_t mode;
  std::uint8_t after;  // the name of the last write to the object before it, or 0
};

struct State {
  std::array<int, kAtomics> atomics{};
  std::array<int, kPlain> plain{};
  std::array<std::uint8_t, kMutexes> owner;
  std::array<std::array<int, kRegisters>, kThreads> registers{};
  std::array<std::uint8_t, kThreads> next{};  // instruction
  std::array<bool, kThreads> created{true};
  std::array<std::uint8_t, kObjects> last_write{};
  std::array<std::uint8_t, kThreads> count{};  // of steps
  std::array<std::array<Step, kSteps>, kThreads> steps;
  State() { owner.fill(kNobody); }
};

class Search {
 public:
  Search(const Program& program, const Effort& effort)
      : threads_(program.threads.size()), effort_(effort) {
    for (std::size_t t = 0; t < threads_; ++t) {
      flatten(program.threads[t], code_[t]);
      code_[t].push_back({});
    }
  }

  // Prefixes of one class lead to the same state, so each class is continued once. Those of one
  // length after those of the length before: then it is known how many interleavings lead there.
  Answer run() {
    answer_.complete = true;
    Layer layer;
    const State start = this->start();
    layer.emplace(name(start), Prefix{start, 1});
    std::size_t prefixes = 0;
    while (!layer.empty() && answer_.complete) {
      Layer next;
      for (const auto& [key, prefix] : layer) {
        if (++prefixes > effort_.prefixes) answer_.complete = false;
        if (!answer_.complete) break;
        extend(prefix, next);
      }
      layer = std::move(next);
    }
    for (const auto& [key, registers] : classes_) {
      ++answer_.observed_all;
      if (registers.empty())
        ++answer_.observed_deadlocks;
      else
        ++answer_.observed[registers];
    }
    return std::move(answer_);
  }

  State start() {
    State state;
    for (std::size_t t = 0; t < threads_; ++t) run_to_next_step(state, t);
    return state;
  }

  void each(const State& state, std::vector<Taken>& steps,
            const std::function<void(std::span<const Taken>)>& visit) {
    bool any = false;
    for (std::size_t t = 0; t < threads_; ++t) {
      if (!enabled(state, t)) continue;
      any = true;
      State next = state;
      step(next, t);
      const std::size_t place = state.count[t];
      const Step& s = next.steps[t][place];
      steps.push_back({t, place, s.object, (s.mode & kReads) != 0, (s.mode & kWrites) != 0});
      each(next, steps, visit);
      steps.pop_back();
    }
    if (!any) visit(steps);
  }

 private:
  struct Prefix {
    State state;
    std::uint64_t interleavings = 0;
  };
  using Layer = std::unordered_map<std::string, Prefix>;

  void extend(const Prefix& prefix, Layer& next) {
    const auto take = [&](std::size_t t) {
      State state = prefix.state;
      step(state, t);
      Prefix& there = next.try_emplace(name(state), Prefix{state, 0}).first->second;
      there.interleavings += prefix.interleavings;
    };
    if (effort_.main_first && handles_threads(prefix.state) && enabled(prefix.state, 0)) {
      take(0);
      return;
    }
    bool any = false;
    for (std::size_t t = 0; t < threads_; ++t) {
      if (!enabled(prefix.state, t)) continue;
      any = true;
      take(t);
    }
    if (!any) end(prefix);
  }

  const Instruction& instruction(const State& s, std::size_t t) const {
    return code_[t][s.next[t]];
  }

  bool handles_threads(const State& s) const {
    const Instruction& i = instruction(s, 0);
    return i.code == kStatement &&
           (i.statement->kind == Kind::kCreate || i.statement->kind == Kind::kJoin);
  }

  bool ended(const State& s, std::size_t t) const { return instruction(s, t).code == kEnd; }

  bool enabled(const State& s, std::size_t t) const {
    if (!s.created[t]) return false;
    const Instruction& i = instruction(s, t);
    if (i.code == kEnd) return false;
    if (i.code == kLock) return s.owner[object(i)] == kNobody;
    if (i.code == kStatement && i.statement->kind == Kind::kJoin)
      return s.created[object(i)] && ended(s, object(i));
    return true;
  }

  static std::size_t object(const Instruction& i) {
    return static_cast<std::size_t>(i.statement->object);
  }

  static int value(const State& s, std::size_t t, const Value& v) {
    return v.constant + (v.reg < 0 ? 0 : s.registers[t][static_cast<std::size_t>(v.reg)]);
  }

  void note(State& s, std::size_t t, std::size_t object, std::uint8_t mode) {
    if (s.count[t] == kSteps) {
      answer_.complete = false;
      return;
    }
    const std::uint8_t me = s.count[t]++;
    const bool shared = object < kObjects;
    s.steps[t][me] = {static_cast<std::uint8_t>(object), mode,
                      shared ? s.last_write[object] : std::uint8_t{0}};
    if (shared && (mode & kWrites) != 0)
      s.last_write[object] = static_cast<std::uint8_t>(1 + t * kSteps + me);
  }

  void step(State& s, std::size_t t) {
    const Instruction& i = instruction(s, t);
    const std::size_t mutex = kAtomics + object(i);
    int& reg = s.registers[t][static_cast<std::size_t>(i.statement->reg)];
    ++s.next[t];
    switch (i.code) {
      case kLock:
        s.owner[object(i)] = static_cast<std::uint8_t>(t);
        note(s, t, mutex, kReads | kWrites);
        break;
      case kTryLock: {
        const bool free = s.owner[object(i)] == kNobody;
        reg = free ? 1 : 0;
        if (free)
          s.owner[object(i)] = static_cast<std::uint8_t>(t);
        else
          s.next[t] = static_cast<std::uint8_t>(i.target);
        note(s, t, mutex, free ? kReads | kWrites : kReads);
        break;
      }
      case kUnlock:
        s.owner[object(i)] = kNobody;
        note(s, t, mutex, kReads | kWrites);
        break;
      default:
        operate(s, t, *i.statement);
    }
    run_to_next_step(s, t);
  }

  void operate(State& s, std::size_t t, const Statement& o) {
    const auto at = static_cast<std::size_t>(o.object);
    if (o.kind == Kind::kCreate || o.kind == Kind::kJoin) {
      s.created[at] = true;
      note(s, t, kObjects, 0);
      return;
    }
    int& reg = s.registers[t][static_cast<std::size_t>(o.reg)];
    int& atomic = s.atomics[at];
    const int a = value(s, t, o.a), b = value(s, t, o.b), before = atomic;
    const bool equal = before == a;
    std::uint8_t mode = kReads | kWrites;
    switch (o.kind) {
      case Kind::kLoad:
        mode = kReads;
        reg = before;
        break;
      case Kind::kStore:
        mode = kWrites;
        atomic = a;
        break;
      case Kind::kAdd:
        atomic = before + a;
        reg = before;
        break;
      case Kind::kExchange:
        atomic = a;
        reg = before;
        break;
      default:
        if (!equal) mode = kReads;
        if (equal) atomic = b;
        reg = o.kind == Kind::kCompareOld ? before : equal ? 1 : 0;
    }
    if (atomic > kLargestValue || reg > kLargestValue) answer_.complete = false;
    note(s, t, at, mode);
  }

  // Branches and plain variables.
  void run_to_next_step(State& s, std::size_t t) {
    for (;; ++s.next[t]) {
      const Instruction& i = instruction(s, t);
      if (i.code == kJump || (i.code == kSkipUnless && !holds(s, t, *i.statement))) {
        s.next[t] = static_cast<std::uint8_t>(i.target - 1);
      } else if (i.code == kStatement && i.statement->kind == Kind::kPlainRead) {
        s.registers[t][static_cast<std::size_t>(i.statement->reg)] = s.plain[object(i)];
      } else if (i.code == kStatement && i.statement->kind == Kind::kPlainWrite) {
        s.plain[object(i)] = value(s, t, i.statement->a);
        if (s.plain[object(i)] > kLargestValue) answer_.complete = false;
      } else if (i.code != kSkipUnless) {
        return;
      }
    }
  }

  static bool holds(const State& s, std::size_t t, const Statement& branch) {
    const int reg = s.registers[t][static_cast<std::size_t>(branch.reg)];
    switch (branch.relation) {
      case Relation::kEqual:
        return reg == branch.a.constant;
      case Relation::kNotEqual:
        return reg != branch.a.constant;
      default:
        return reg < branch.a.constant;
    }
  }

  // The class of a prefix. What a thread does follows from what it has read, and that from the last
  // writes before its steps, so these are enough.
  std::string name(const State& s) const {
    std::string name;
    for (std::size_t t = 0; t < threads_; ++t) {
      for (std::size_t i = 0; i < s.count[t]; ++i)
        name.push_back(static_cast<char>(s.steps[t][i].after));
      name.push_back(static_cast<char>(kNobody));
    }
    return name;
  }

  // The class of a whole execution for observers. Steps that do not read add nothing: that they
  // were done follows from what their threads have read.
  std::string observed_name(const State& s) const {
    std::string name;
    for (std::size_t t = 0; t < threads_; ++t) {
      for (std::size_t i = 0; i < s.count[t]; ++i) {
        if ((s.steps[t][i].mode & kReads) == 0) continue;
        std::string before;
        for (std::uint8_t w = s.steps[t][i].after; w != 0;
             w = s.steps[(w - 1U) / kSteps][(w - 1U) % kSteps].after)
          before.push_back(static_cast<char>(w));
        std::sort(before.begin(), before.end());
        name.append(before).push_back(static_cast<char>(s.steps[t][i].after));
        name.push_back(static_cast<char>(kNobody));
      }
      name.push_back(static_cast<char>(kNobody));
    }
    return name;
  }

  void end(const Prefix& prefix) {
    const State& s = prefix.state;
    bool deadlock = false;
    for (std::size_t t = 0; t < threads_; ++t) deadlock = deadlock || !ended(s, t);
    const std::string outcome = deadlock ? std::string() : print(s);
    for (Ends* ends : {&answer_.all, deadlock ? &answer_.deadlocks : &answer_.outcomes[outcome]}) {
      ++ends->traces;
      ends->interleavings += prefix.interleavings;
    }
    classes_.emplace(observed_name(s), outcome.substr(0, kRegisterDigits));
  }

  static std::string print(const State& s) {
    std::string text;
    const auto byte = [&text](int value) {
      text.push_back("0123456789abcdef"[value >> 4 & 15]);
      text.push_back("0123456789abcdef"[value & 15]);
    };
    for (const auto& registers : s.registers)
      for (int value : registers) byte(value);
    for (int value : s.atomics) byte(value);
    for (int value : s.plain) byte(value);
    return text;
  }

  std::size_t threads_;
  Effort effort_;
  std::array<Instructions, kThreads> code_;
  std::unordered_map<std::string, std::string> classes_;  // of observers, with their registers
  Answer answer_;
};

}  // namespace

Answer enumerate(const Program& program, const Effort& effort) {
  return Search(program, effort).run();
}

void each_interleaving(const Program& program,
                       const std::function<void(std::span<const Taken>)>& visit) {
  Search search(program, {});
  std::vector<Taken> steps;
  search.each(search.start(), steps, visit);
}

}  // namespace differential
