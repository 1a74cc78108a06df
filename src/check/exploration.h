// An exploration in parts: explore() (loop.h) as an object.
#pragma once

#include <memory>

#include "check/loop.h"
#include "check/weak_operations.h"

namespace mazur {

class Exploration {
 public:
  // kNo: other explorations on the same machine still need their traces while this one runs.
  enum class Alone : bool { kNo, kYes };
  // All of them outlive it. The bounds may change between two runs. `weak`: what other explorations
  // have seen of weak operations already, if there are any.
  Exploration(Machine& machine, Explorer& explorer, const Bounds& bounds, Watcher& watcher,
              Alone alone = Alone::kYes, WeakOperations* weak = nullptr);
  ~Exploration();

  // May be called again after it has stopped because of max_executions: then it goes on. Returns
  // what it has come to so far.
  const Outcome& run();
  // Whether the explorer has nothing more to run.
  bool ended() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace mazur
