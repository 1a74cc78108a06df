#include "report/orders/gaps.h"

#include <gtest/gtest.h>

namespace mazur {
namespace {

// Program counters are lines: 1xx of main(), 2xx of first(), 3xx of second(), 9xx of the library.
Places sample_places() {
  Places places;
  for (const std::uint32_t line : {100u, 101u, 102u, 200u, 201u, 300u, 900u}) {
    const char* function = line < 200   ? "main()"
                           : line < 300 ? "first()"
                           : line < 400 ? "second()"
                                        : "std::atomic<int>::load()";
    places.code[line] = {{function, line < 900 ? "a.cpp" : "atomic", line, "", line < 900}};
  }
  return places;
}

std::string between(const std::vector<std::uint64_t>& first,
                    const std::vector<std::uint64_t>& second) {
  const auto gap = gap_between(first, second, sample_places());
  if (!gap) return "none";
  return std::to_string(gap->after.line) + "-" + std::to_string(gap->before.line);
}

TEST(Gaps, StandWhereTwoStacksPart) {
  EXPECT_EQ(between({100}, {101}), "100-101");
  EXPECT_EQ(between({900, 200, 100}, {900, 201, 100}), "200-201");
  // Two functions that one has called, or one of which is called.
  EXPECT_EQ(between({900, 200, 100}, {900, 300, 101}), "100-101");
  EXPECT_EQ(between({201, 100}, {102}), "100-102");
}

TEST(Gaps, AreNotWithinALineNorBackwardsNorInALibrary) {
  EXPECT_EQ(between({100}, {100}), "none");
  EXPECT_EQ(between({101}, {100}), "none");
  EXPECT_EQ(between({200, 100}, {300, 100}), "none");
  EXPECT_EQ(between({900}, {900}), "none");
  EXPECT_EQ(between({200}, {300}), "none");
  EXPECT_EQ(between({}, {100}), "none");
}

Event step(ThreadId thread, OpKind kind, std::uint64_t pc) {
  Event event;
  event.thread = thread;
  event.label.kind = kind;
  event.label.pc = pc;
  return event;
}

TEST(Gaps, AreNotBehindWhatIsNotShared) {
  Finding finding;
  finding.places = sample_places();
  finding.record.events = {step(1, OpKind::kStore, 100), step(1, OpKind::kStore, 101),
                           step(1, OpKind::kLoad, 102), step(2, OpKind::kLoad, 100)};
  constexpr std::uint32_t kNone = Gaps::kNone;
  EXPECT_EQ(Gaps(finding).numbers(), (std::vector<std::uint32_t>{0, 1, kNone, kNone}));
  finding.record.events[1].label.object = 0x8000;
  EXPECT_EQ(Gaps(finding).numbers(), (std::vector<std::uint32_t>{0, kNone, kNone, kNone}));
  finding.record.events[3].label.object = 0x9000;
  EXPECT_EQ(Gaps(finding).numbers(), (std::vector<std::uint32_t>{kNone, kNone, kNone, kNone}));
}

TEST(Gaps, OfAnExecutionHaveAtomicOperationsOnBothSides) {
  Finding finding;
  finding.places = sample_places();
  finding.record.events = {step(1, OpKind::kStore, 100), step(2, OpKind::kStore, 100),
                           step(1, OpKind::kLock, 101),  step(2, OpKind::kLoad, 101),
                           step(1, OpKind::kLoad, 102),  step(2, OpKind::kUnlock, 102)};
  const Gaps gaps(finding);
  constexpr std::uint32_t kNone = Gaps::kNone;
  // The same lines in both threads are one gap; behind the last load there is none.
  EXPECT_EQ(gaps.numbers(), (std::vector<std::uint32_t>{0, 0, kNone, kNone, kNone, kNone}));
  EXPECT_EQ(gaps[0].after.line, 100u);
  EXPECT_EQ(gaps[0].before.line, 101u);
}

}  // namespace
}  // namespace mazur
