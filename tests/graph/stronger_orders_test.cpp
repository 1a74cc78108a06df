// Which memory orders and which new fences forbid an execution, on the model machine.
#include "graph/orders/stronger_orders.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random_source.h"
#include "check/loop.h"
#include "explore/graph/graph.h"
#include "graph/orders/recorded.h"
#include "litmus.h"
#include "litmus_table.h"
#include "machine/model/model_machine.h"
#include "trace/fields.h"
#include "trace/operation_name.h"

namespace mazur::model {
namespace {

using Outcome = std::function<bool(const State&)>;

// The first execution that ends so.
class Keep final : public Watcher {
 public:
  Keep(const ModelMachine& machine, const Outcome& outcome)
      : machine_(machine), outcome_(outcome) {}
  void failed(const Trace&, const Frontier&, const Failure&) override {}
  void ended(const Trace& trace, const Tally&, End) override {
    if (events.empty() && outcome_(machine_.state()))
      events.assign(trace.events().begin(), trace.events().end());
  }
  std::vector<Event> events;

 private:
  const ModelMachine& machine_;
  const Outcome& outcome_;
};

std::vector<Event> execution(const std::vector<std::string>& code, MemoryModel model,
                             const Outcome& outcome) {
  const Program program = threads(code);
  ModelMachine machine(program);
  const auto explorer = make_graph({.memory = model});
  Keep keep(machine, outcome);
  explore(machine, *explorer, Bounds{.max_steps = 1000}, keep);
  EXPECT_FALSE(keep.events.empty());
  return keep.events;
}

// Each operation with an order is a site: "0.1" is the second one of the first thread.
// `shared`: the threads run the same code, so that a site is an operation of all of them.
struct Operations {
  std::vector<Site> sites;  // by event
  std::vector<std::string> names;
};

Operations operations(const std::vector<Event>& events, bool shared) {
  std::map<ThreadId, unsigned> met;
  std::map<std::string, Site> numbers;
  Operations all;
  auto& [sites, names] = all;
  for (const Event& event : events) {
    const OpKind kind = event.label.kind;
    if (!is_memory(kind) && kind != OpKind::kFence) {
      sites.push_back(kNoSite);
      continue;
    }
    const std::string name = (shared ? std::string() : std::to_string(event.thread)) + "." +
                             std::to_string(met[event.thread]++);
    const auto [at, fresh] = numbers.try_emplace(name, static_cast<Site>(names.size()));
    if (fresh) names.push_back(name);
    sites.push_back(at->second);
  }
  return all;
}

// "0.1 acquire"
std::string in_words(const Forbidding& found, const std::vector<std::string>& names) {
  if (found.answer == Forbidding::Answer::kUnknown) return "unknown";
  if (found.answer == Forbidding::Answer::kNothing) return "nothing";
  std::map<std::string, std::string> sorted;
  for (const StrongerOrder& change : found.changes)
    sorted[names[change.site]] = memory_order_name(change.order);
  std::string text;
  for (const auto& [site, order] : sorted) text += (text.empty() ? "" : ", ") + site + " " + order;
  return text;
}

std::string forbidding(const std::vector<Event>& events, MemoryModel model, bool shared = false) {
  const auto [sites, names] = operations(events, shared);
  return in_words(forbidding_orders(events, sites, model), names);
}

// "0.1 acquire": such a fence behind that operation.
std::string fences(const std::vector<Event>& events, MemoryModel model, bool shared = false) {
  const auto [sites, names] = operations(events, shared);
  return in_words(forbidding_fences(events, sites, model), names);
}

bool registers(const State& s, ThreadId thread, int first, int second) {
  return s.thread(thread).registers[0] == first && s.thread(thread).registers[1] == second;
}

bool passed_old(const State& s) { return registers(s, 1, 1, 0); }

TEST(StrongerOrders, MessagePassingNeedsAReleaseAndAnAcquire) {
  const auto events =
      execution({"store.relaxed x0 1;store.relaxed x1 1", "load.relaxed r0 x1;load.relaxed r1 x0"},
                MemoryModel::kCpp20, passed_old);
  EXPECT_EQ(forbidding(events, MemoryModel::kCpp20), "0.1 release, 1.0 acquire");
}

TEST(StrongerOrders, OneIsEnoughIfTheOtherIsThere) {
  EXPECT_EQ(forbidding(execution({"store.relaxed x0 1;store.release x1 1",
                                  "load.relaxed r0 x1;load.relaxed r1 x0"},
                                 MemoryModel::kCpp20, passed_old),
                       MemoryModel::kCpp20),
            "1.0 acquire");
  EXPECT_EQ(forbidding(execution({"store.relaxed x0 1;store.relaxed x1 1",
                                  "load.acquire r0 x1;load.relaxed r1 x0"},
                                 MemoryModel::kCpp20, passed_old),
                       MemoryModel::kCpp20),
            "0.1 release");
}

TEST(StrongerOrders, AFenceIsMadeStronger) {
  EXPECT_EQ(forbidding(execution({"store.relaxed x0 1;fence.release;store.relaxed x1 1",
                                  "load.relaxed r0 x1;fence.release;load.relaxed r1 x0"},
                                 MemoryModel::kCpp20, passed_old),
                       MemoryModel::kCpp20),
            "1.0 acquire");
}

TEST(StrongerOrders, StoreBufferingNeedsAllFourOrTheSharedPair) {
  const std::vector<std::string> code = {"store.release x0 1;load.acquire r0 x1",
                                         "store.release x1 1;load.acquire r0 x0"};
  const Outcome both_old = [](const State& s) {
    return s.thread(0).registers[0] == 0 && s.thread(1).registers[0] == 0;
  };
  const auto events = execution(code, MemoryModel::kCpp20, both_old);
  EXPECT_EQ(forbidding(events, MemoryModel::kCpp20),
            "0.0 seq_cst, 0.1 seq_cst, 1.0 seq_cst, 1.1 seq_cst");
  EXPECT_EQ(forbidding(events, MemoryModel::kCpp20, true), ".0 seq_cst, .1 seq_cst");
  // A store that is compiled with a barrier behind it is enough.
  EXPECT_EQ(forbidding(execution(code, MemoryModel::kTso, both_old), MemoryModel::kTso),
            "0.0 seq_cst, 1.0 seq_cst");
}

TEST(StrongerOrders, IndependentReadsNeedBothFences) {
  const auto events =
      execution({"store.relaxed x0 1", "load.relaxed r0 x0;fence.acq_rel;load.relaxed r1 x1",
                 "load.relaxed r0 x1;fence.acq_rel;load.relaxed r1 x0", "store.relaxed x1 1"},
                MemoryModel::kCpp20,
                [](const State& s) { return registers(s, 1, 1, 0) && registers(s, 2, 1, 0); });
  EXPECT_EQ(forbidding(events, MemoryModel::kCpp20), "1.1 seq_cst, 2.1 seq_cst");
}

TEST(StrongerOrders, AnUpdateGetsWhatItNeedsOnly) {
  EXPECT_EQ(forbidding(execution({"store.relaxed x0 1;fetch_add.relaxed r0 x1 1",
                                  "fetch_add.relaxed r0 x1 1;load.relaxed r1 x0"},
                                 MemoryModel::kCpp20, passed_old),
                       MemoryModel::kCpp20),
            "0.1 release, 1.0 acquire");
}

// Two increments that get lost are as lost with seq_cst, in whatever order the record has them.
TEST(StrongerOrders, AMistakeInTheLogicIsNotOneOfOrders) {
  const auto events = execution(
      {"load.relaxed r0 x0;store.relaxed x0 r0+1", "load.relaxed r0 x0;store.relaxed x0 r0+1"},
      MemoryModel::kCpp20, [](const State& s) { return s.variable(0) == 1; });
  EXPECT_EQ(forbidding(events, MemoryModel::kCpp20), "nothing");
}

bool both_old(const State& s) {
  return s.thread(0).registers[0] == 0 && s.thread(1).registers[0] == 0;
}

TEST(NewFences, StoreBufferingNeedsOneInEachThread) {
  for (const MemoryModel model : {MemoryModel::kTso, MemoryModel::kPso, MemoryModel::kCpp20}) {
    const auto events = execution(
        {"store.relaxed x0 1;load.relaxed r0 x1", "store.relaxed x1 1;load.relaxed r0 x0"}, model,
        both_old);
    EXPECT_EQ(fences(events, model), "0.0 seq_cst, 1.0 seq_cst");
    EXPECT_EQ(fences(events, model, true), ".0 seq_cst");
  }
}

TEST(NewFences, OneIsEnoughIfTheOtherIsThere) {
  EXPECT_EQ(fences(execution({"store.relaxed x0 1;fence;load.relaxed r0 x1",
                              "store.relaxed x1 1;load.relaxed r0 x0"},
                             MemoryModel::kCpp20, both_old),
                   MemoryModel::kCpp20),
            "1.0 seq_cst");
}

TEST(NewFences, HaveTheWeakestOrders) {
  EXPECT_EQ(fences(execution({"store.relaxed x0 1;store.relaxed x1 1",
                              "load.relaxed r0 x1;load.relaxed r1 x0"},
                             MemoryModel::kCpp20, passed_old),
                   MemoryModel::kCpp20),
            "0.0 release, 1.0 acquire");
}

// x0 is the number of the version, x1 the data.
TEST(NewFences, AReaderOfASeqlockNeedsOneBehindTheData) {
  const Outcome torn = [](const State& s) {
    return registers(s, 1, 0, 1) && s.thread(1).registers[2] == 0;
  };
  const std::string reader = "load.relaxed r0 x0;load.relaxed r1 x1;load.relaxed r2 x0";
  EXPECT_EQ(fences(execution({"store.relaxed x0 1;store.relaxed x1 1", reader}, MemoryModel::kCpp20,
                             torn),
                   MemoryModel::kCpp20),
            "0.0 release, 1.1 acquire");
  EXPECT_EQ(fences(execution({"store.relaxed x0 1;fence.release;store.relaxed x1 1", reader},
                             MemoryModel::kCpp20, torn),
                   MemoryModel::kCpp20),
            "1.1 acquire");
}

TEST(NewFences, MoreThanTwoAreNotLookedFor) {
  const auto events =
      execution({"store.relaxed x0 1;load.relaxed r0 x1", "store.relaxed x1 1;load.relaxed r0 x2",
                 "store.relaxed x2 1;load.relaxed r0 x0"},
                MemoryModel::kCpp20,
                [](const State& s) { return both_old(s) && s.thread(2).registers[0] == 0; });
  EXPECT_EQ(fences(events, MemoryModel::kCpp20), "unknown");
  EXPECT_EQ(fences(events, MemoryModel::kCpp20, true), ".0 seq_cst");
}

TEST(NewFences, DoNotMendLogic) {
  const auto events = execution(
      {"load.relaxed r0 x0;store.relaxed x0 r0+1", "load.relaxed r0 x0;store.relaxed x0 r0+1"},
      MemoryModel::kCpp20, [](const State& s) { return s.variable(0) == 1; });
  EXPECT_EQ(fences(events, MemoryModel::kCpp20), "nothing");
}

// With the fences in it the program no longer has the outcome.
TEST(NewFences, ForbidTheOutcomeInTheProgram) {
  std::size_t tried = 0;
  for (const litmus::Shape& shape : litmus::shapes())
    for (const MemoryModel model : {MemoryModel::kTso, MemoryModel::kPso, MemoryModel::kCpp20})
      for (std::size_t way = 0; way < 2; ++way) {
        if (shape.expected[way][static_cast<std::size_t>(model)] < 0) continue;
        const Outcome outcome = [&](const State& s) { return ends_so(s, shape); };
        std::vector<std::string> code = litmus::in_the_way(shape, way);
        const auto events = execution(code, model, outcome);
        const auto [sites, names] = operations(events, false);
        const Forbidding found = forbidding_fences(events, sites, model);
        for (const StrongerOrder& fence : found.changes) {
          std::string& thread = code[names[fence.site][0] - '0'];
          std::size_t behind = 0;
          for (int n = names[fence.site][2] - '0'; n >= 0; --n)
            behind = thread.find(';', behind + 1);
          ASSERT_NE(behind, std::string::npos);
          const std::string order(memory_order_name(fence.order));
          thread.insert(behind, ";fence" + (order == "seq_cst" ? "" : "." + order));
        }
        if (found.changes.empty()) continue;
        ++tried;
        EXPECT_FALSE(explore_litmus(threads(code), model, outcome).outcome)
            << shape.name << ", " << name_of(model) << ", " << code[0];
      }
  EXPECT_GT(tried, 20u);
}

// The stores of x0 are read by nobody: another order of them would do, so no order forbids this.
TEST(StrongerOrders, AnotherOrderOfTheStoresIsThoughtOf) {
  const auto events = execution(
      {"store.relaxed x0 1;store.relaxed x1 2", "store.relaxed x1 1;store.relaxed x0 2"},
      MemoryModel::kCpp20, [](const State& s) { return s.variable(0) == 1 && s.variable(1) == 1; });
  EXPECT_EQ(forbidding(events, MemoryModel::kCpp20), "nothing");
}

TEST(StrongerOrders, WhatIsNoExecutionHasNoAnswer) {
  Event load;
  load.thread = 0;
  load.label.kind = OpKind::kLoad;
  load.label.order = 0;
  load.label.object = 8;
  load.label.size = 4;
  Event store = load;
  store.label.kind = OpKind::kStore;
  store.label.object = 16;
  for (const StoreRef ref : {StoreRef{0}, StoreRef{1}, StoreRef{77}, kBehind}) {
    load.label.ref = ref;
    EXPECT_EQ(forbidding({store, load}, MemoryModel::kCpp20), "unknown") << ref;
  }
  load.label.ref = kNewest;
  EXPECT_EQ(forbidding({store, load}, MemoryModel::kCpp20), "nothing");
  load.thread = 60000;
  EXPECT_EQ(forbidding({store, load}, MemoryModel::kCpp20), "unknown");
  Event woken;
  woken.thread = 0;
  woken.label.kind = OpKind::kCondWake;
  EXPECT_EQ(forbidding({store, woken}, MemoryModel::kCpp20), "unknown");
  EXPECT_EQ(forbidding(std::vector<Event>(5000, store), MemoryModel::kCpp20), "unknown");
}

// A file may hold anything that decodes.
TEST(StrongerOrders, NothingIsBelieved) {
  RandomSource random(7, 0);
  const auto below = [&random](std::uint32_t n) { return random.below(n); };
  std::size_t answered = 0;
  for (int n = 0; n < 4000; ++n) {
    std::vector<Event> events(1 + below(14));
    std::vector<Site> sites;
    for (Event& event : events) {
      event.thread = static_cast<ThreadId>(below(3));
      Label& label = event.label;
      const bool any = below(3) == 0;
      label.kind = static_cast<OpKind>(any ? below(static_cast<std::uint32_t>(kLastKind) + 1)
                                           : 1 + below(4));
      label.order = static_cast<std::uint8_t>(below(7));
      label.size = 1 + static_cast<std::uint32_t>(below(2));
      label.object = any ? below(3) : 8 * below(3);
      label.object2 = any ? below(3) : 0;
      label.value = below(3);
      label.written = below(3);
      label.read = below(3);
      label.success = below(2) == 0;
      label.epoch = static_cast<std::uint16_t>(below(2));
      const std::uint32_t ref = below(20);
      label.ref = ref < 12    ? kNewest
                  : ref == 12 ? kBehind
                  : ref == 13 ? kNoStore
                              : StoreRef(below(14));
      sites.push_back(below(4) == 0 ? kNoSite : static_cast<Site>(below(4)));
    }
    const auto model = static_cast<MemoryModel>(1 + below(3));
    answered += forbidding_orders(events, sites, model).answer != Forbidding::Answer::kUnknown;
    forbidding_fences(events, sites, model);
  }
  EXPECT_GT(answered, 100u);
}

class Ask final : public Watcher {
 public:
  explicit Ask(MemoryModel model) : model_(model) {}
  void failed(const Trace&, const Frontier&, const Failure&) override {}
  void ended(const Trace& trace, const Tally&, End) override {
    ++executions;
    RecordedExecution recorded(trace.events(), model_);
    std::vector<std::uint8_t> orders;
    for (const Event& event : trace.events()) orders.push_back(event.label.order);
    allowed += recorded.ask(orders) == RecordedExecution::Answer::kAllowed ? 1 : 0;
  }
  std::size_t executions = 0, allowed = 0;

 private:
  MemoryModel model_;
};

// Every execution that the explorer finds is allowed with the orders that it had.
TEST(StrongerOrders, WhatWasRunIsAllowed) {
  std::vector<std::vector<std::string>> programs = {
      {"store.relaxed x0 1;store x1 1;fetch_add.acq_rel r1 x2 1",
       "load.acquire r0 x1;store.relaxed x0 2;cas r1 x2 0 5", "lock m0;store x0 3;unlock m0"},
      {"lock m0;store.relaxed x0 1;unlock m0;load r0 x1",
       "store x1 1;lock m0;load.relaxed r0 x0;unlock m0;fence;load.relaxed r1 x0"}};
  for (const litmus::Row& row : litmus::counted()) programs.push_back(row.code);
  for (const MemoryModel model : {MemoryModel::kTso, MemoryModel::kPso, MemoryModel::kCpp20})
    for (const auto& code : programs) {
      const Program program = threads(code);
      ModelMachine machine(program);
      const auto explorer = make_graph({.memory = model});
      Ask ask(model);
      explore(machine, *explorer, Bounds{.max_steps = 1000}, ask);
      EXPECT_GT(ask.executions, 0u);
      EXPECT_EQ(ask.allowed, ask.executions) << code.front();
    }
}

}  // namespace
}  // namespace mazur::model
