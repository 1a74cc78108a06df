// The first failure that an explorer meets.
#pragma once

#include <cstdint>
#include <vector>

#include "check/failure_place.h"
#include "check/loop.h"

namespace mazur::model {

class FirstFailure : public Watcher {
 public:
  void failed(const Trace& trace, const Frontier& frontier, const Failure& f) override {
    if (failure.kind != FailureKind::kNone) return;
    failure = f;
    place = failure_place(f, frontier);
    events.assign(trace.events().begin(), trace.events().end());
  }
  Failure failure;
  std::uint64_t place = 0;
  std::vector<Event> events;
};

}  // namespace mazur::model
