// Virtual time: what time it is for each thread, counted from the beginning of the execution.
//
// A thread's time is the length of the longest path to where it is: along its own events and those
// of other threads that it happens after. Each event takes 100 ns; sleeps on the path are added. So
// for a thread that was released by one that slept a second, that second has passed. If a thread
// waited for two threads that slept at the same time, the longer of the two times has passed, not
// their sum.
//
// A thread happens after its creation, the end of threads it joined, the unlocks before its lock,
// the posts before its wait, the signal that woke it, the arrivals of its phase, the send of its
// message, and the store that its load reads from, whatever its memory order. All of these are the
// same in all schedules of one trace. They are also the same in traces that differ only in the
// order of stores that nobody reads apart (algorithm `observers`): stores do not happen after
// stores here.
//
// Steps do not maintain any of this: it is worked out from the events when somebody asks.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/label.h"

namespace mazur::native {

class CausalTime {
 public:
  static constexpr std::int64_t kEvent = 100;                              // nanoseconds
  static constexpr std::int64_t kForever = 4'000'000'000 * 1'000'000'000;  // centuries

  // A new execution.
  void clear();

  // How many events it has seen. Those of an execution come in their order.
  std::size_t events() const { return events_; }
  void append(const Event& event);

  // The thread sleeps after the first `events` events of the execution, which need not have been
  // seen.
  void sleep(std::size_t events, ThreadId thread, std::int64_t duration);

  // The thread's time after all events seen so far and all its sleeps.
  std::int64_t of(ThreadId thread);

 private:
  // Objects of one kind; each has a time, 0 if it was not met.
  enum class Kind : std::uint64_t { kMutex, kWriter, kReaders, kCount, kBarrier, kQueue, kMessage };
  struct Sleep {
    std::size_t events;
    ThreadId thread;
    std::int64_t duration;
  };

  std::int64_t& time(ThreadId thread);
  std::int64_t& at(Kind kind, ObjectId object);
  std::int64_t written(ObjectId object, std::uint32_t size) const;
  void write(ObjectId object, std::uint32_t size, std::int64_t time);
  std::int64_t before(const Event& event);
  void after(const Event& event, std::int64_t now);
  void pass();

  std::vector<std::int64_t> threads_;
  std::unordered_map<std::uint64_t, std::int64_t> objects_;
  struct Granule {
    std::int64_t byte[8] = {};
  };
  std::unordered_map<ObjectId, Granule> memory_;  // by 8 bytes: who wrote it last, when
  std::vector<Sleep> sleeps_;                     // that are not part of threads_ yet, in order
  std::vector<std::int64_t> times_;               // of the events
  std::size_t events_ = 0;
};

}  // namespace mazur::native
