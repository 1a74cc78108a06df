// Minimised schedules under weak memory models against the cheapest ones by brute force, which asks
// the oracle's axioms what is allowed.
#include <gtest/gtest.h>

#include <map>

#include "base/random_source.h"
#include "check/failure_place.h"
#include "check/loop.h"
#include "check/minimise/minimise.h"
#include "enumerate.h"
#include "explore/graph/graph.h"
#include "first_failure.h"
#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t number) : random_(0x3a11, number) {}

  Program program(std::uint64_t shape) {
    switch (shape) {
      case 0:
        whatever();
        break;
      case 1:
        publishes();
        break;
      default:
        excludes();
        break;
    }
    return parse(text_);
  }

 private:
  // Threads that access some variables and then assert something about what two loads have read.
  void whatever() {
    const std::uint32_t threads = 2 + below(2);
    for (std::uint32_t t = 0; t < threads; ++t) {
      begin_thread();
      const bool locks = below(6) == 0;
      if (locks) line("lock m0");
      for (std::uint32_t n = threads == 2 ? 2 + below(3) : 1 + below(2); n > 0; --n) operation();
      if (locks) line("unlock m0");
      if (loads_ > 0) check(pick({"==", "!="}), pick({"0", "1"}), pick({"==", "!="}));
    }
  }

  // One thread writes x0 and then x1, another reads x1 and then x0. In between something happens.
  void publishes() {
    begin_thread();
    store("x0");
    if (below(2) == 0) operation();
    store("x1");
    begin_thread();
    load("r0", "x1");
    if (below(2) == 0) fence();
    load("r1", "x0");
    loads_ = 2;
    check("==", "1", "!=");
    if (below(2) == 0) begin_thread(), operation();
  }

  // Two threads say that they are there and look whether the other one is. One of them checks that
  // the other has not gone on, too.
  void excludes() {
    begin_thread();
    store("x0");
    if (below(3) == 0) fence();
    load("r0", "x1");
    line("if r0 != 0 goto " + std::to_string(lines_ + 2));
    store("x2");
    begin_thread();
    store("x1");
    if (below(3) == 0) operation();
    load("r0", "x0");
    line("if r0 != 0 goto " + std::to_string(lines_ + 3));
    load("r1", "x2");
    line("assert r1 == 0");
    if (below(3) == 0) begin_thread(), operation();
  }

  void check(const std::string& unless, const std::string& reg, const std::string& is) {
    line("if r0 " + unless + " 0 goto " + std::to_string(lines_ + 2));
    line("assert r" + reg + " " + is + " 0");
  }
  void operation() {
    const std::string x = "x" + std::to_string(below(3));
    switch (below(8)) {
      case 0:
        return line("fetch_add" + pick({".relaxed", ".acq_rel", ""}) + " r2 " + x + " 1");
      case 1:
        return fence();
      case 2:
      case 3:
      case 4:
        return store(x);
      default:
        return load("r" + std::to_string(loads_++ % 2), x);
    }
  }
  void fence() { line("fence" + pick({".acq_rel", ""})); }
  void store(const std::string& x) {
    line("store" + pick({".relaxed", ".relaxed", ".release", ""}) + " " + x + " " +
         pick({"1", "2"}));
  }
  void load(const std::string& reg, const std::string& x) {
    line("load" + pick({".relaxed", ".relaxed", ".acquire", ""}) + " " + reg + " " + x);
  }

  std::uint32_t below(std::uint32_t n) { return random_.below(n); }
  std::string pick(std::initializer_list<const char*> words) {
    return words.begin()[below(static_cast<std::uint32_t>(words.size()))];
  }
  void begin_thread() {
    text_ += "thread\n";
    lines_ = loads_ = 0;
  }
  void line(const std::string& instruction) {
    text_ += instruction + "\n";
    ++lines_;
  }

  RandomSource random_;
  std::string text_ = "variables 0 0 0\nmutexes 1\n";
  std::uint32_t lines_ = 0, loads_ = 0;  // of the thread
};

// The cost of the cheapest schedule to each failure.
class AllWeakSchedules {
 public:
  explicit AllWeakSchedules(MemoryModel model) : model_(model) {}
  // False: there are too many.
  bool run(const Program& program) {
    ModelMachine machine(program);
    machine.set_memory(model_);
    machine.restart();
    return machine.failure() != nullptr || extend(machine, {}, kNoThread, {});
  }
  const std::map<std::uint64_t, ScheduleCost>& cheapest() const { return cheapest_; }

 private:
  static constexpr std::uint64_t kMost = 60'000;

  void note(const Failure& failure, ModelMachine& machine, ScheduleCost cost) {
    const auto [at, fresh] = cheapest_.emplace(failure_place(failure, machine.frontier()), cost);
    if (!fresh) at->second = std::min(at->second, cost);
  }

  bool extend(ModelMachine& machine, const WeakGraph& graph, ThreadId current, ScheduleCost cost) {
    const auto failure = failure_at_end(machine);
    if (failure && !machine.frontier().any_enabled()) note(*failure, machine, cost);
    const Pending* running = machine.frontier().find(current);
    const bool continues = running != nullptr && running->enabled;
    ++cost.steps;
    const std::vector<Pending> threads(machine.frontier().threads().begin(),
                                       machine.frontier().threads().end());
    for (const Pending& p : threads) {
      if (!p.enabled) continue;
      ScheduleCost next = cost;
      if (continues && p.thread != current) ++next.preemptions;
      std::size_t places = 0;
      if (is_memory(p.op.kind))
        if (const auto at = graph.writers.find(touched(Label{p.op})[0].object);
            at != graph.writers.end())
          places = at->second.size();
      for (std::size_t place = 0; place <= places; ++place)
        if (!step(machine, graph, p, place, place == places, next)) return false;
    }
    return true;
  }

  // The operation reads, or stands behind, so many stores.
  bool step(const ModelMachine& machine, const WeakGraph& graph, const Pending& p,
            std::size_t place, bool newest, ScheduleCost cost) {
    if (++nodes_ > kMost) return false;
    Step step{p.thread, 0};
    ModelMachine copy = machine;
    WeakGraph next = graph;
    if (!newest) {
      ++cost.old_values;
      const std::vector<int>& writers = next.writers[touched(Label{p.op})[0].object];
      step.ref = p.op.kind == OpKind::kStore ? kBehind
                 : place == 0                ? kNoStore
                                             : static_cast<StoreRef>(writers[place - 1]);
    }
    WeakGraph::Item& item = append(next, copy.run(step));
    if (is_memory(p.op.kind)) {
      const Touched touch = touched(item.event.label)[0];
      std::vector<int>& writers = next.writers[touch.object];
      if (touch.how != Touched::How::kWrites)
        item.sources[0] = place == 0 ? WeakGraph::kInitially : writers[place - 1];
      if (touch.how != Touched::How::kReads)
        writers.insert(writers.begin() + static_cast<std::ptrdiff_t>(place),
                       static_cast<int>(next.items.size()) - 1);
    }
    if (!newest && !is_consistent(next, model_)) return true;
    if (copy.failure() != nullptr) {
      note(*copy.failure(), copy, cost);
      return true;
    }
    return extend(copy, next, p.thread, cost);
  }

  MemoryModel model_;
  std::uint64_t nodes_ = 0;
  std::map<std::uint64_t, ScheduleCost> cheapest_;
};

TEST(WeakMinimise, FindsTheCheapestScheduleOfRandomPrograms) {
  int compared = 0, with_old_values = 0, improved = 0;
  for (std::uint64_t number = 0; number < 450; ++number) {
    const Program program = Generator(number).program(number % 3);
    for (const MemoryModel model : {MemoryModel::kTso, MemoryModel::kPso, MemoryModel::kCpp20}) {
      AllWeakSchedules all(model);
      if (!all.run(program)) continue;
      ModelMachine machine(program);
      FirstFailure first;
      explore(machine, *make_graph({.memory = model}), {}, first);
      ASSERT_EQ(first.events.empty(), all.cheapest().empty()) << number << "\n" << print(program);
      if (first.events.empty()) continue;
      const ScheduleCost cheapest = all.cheapest().at(first.place);
      const Minimised result = minimise(machine, first.events, first.failure, first.place,
                                        {.executions = 1'000'000, .seconds = 3600}, model);
      ASSERT_TRUE(result.minimal) << number;
      ASSERT_EQ(result.after, cheapest)
          << number << ": " << result.after.old_values << ", " << result.after.preemptions << ", "
          << result.after.steps << " instead of " << cheapest.old_values << ", "
          << cheapest.preemptions << ", " << cheapest.steps << "\n"
          << print(program);
      ++compared;
      if (cheapest.old_values > 0) ++with_old_values;
      if (result.after < result.before) ++improved;
      // With too few executions for a search it is never worse than it was, and still allowed.
      const Minimised less = minimise(machine, first.events, first.failure, first.place,
                                      {.executions = 20, .seconds = 3600}, model);
      ASSERT_LE(less.after, less.before);
      ASSERT_GE(less.after, cheapest) << number << "\n" << print(program);
    }
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(with_old_values, 50);
  EXPECT_GT(improved, 100);
}

// The state before the last load is reached with an old value and one preemption first, and later
// with three preemptions and none.
TEST(WeakMinimise, PrefersPreemptionsToOldValues) {
  const Program program = parse(
      "variables 0 0\n"
      "thread\nstore.relaxed x0 1\nstore.relaxed x0 2\nstore.relaxed x0 3\n"
      "thread\nload.relaxed r0 x0\nload.relaxed r1 x0\nload.relaxed r2 x1\n"
      "if r0 != 1 goto 6\nif r1 != 2 goto 6\nassert r1 == 0\n");
  ModelMachine machine(program);
  FirstFailure first;
  explore(machine, *make_graph({.memory = MemoryModel::kCpp20}), {}, first);
  ASSERT_FALSE(first.events.empty());
  const Minimised result = minimise(machine, first.events, first.failure, first.place,
                                    {.seconds = 3600}, MemoryModel::kCpp20);
  EXPECT_TRUE(result.minimal);
  EXPECT_EQ(result.after.old_values, 0u);
  EXPECT_EQ(result.after.preemptions, 3u);
  EXPECT_EQ(result.after.steps, 5u);
}

}  // namespace
}  // namespace mazur::model
