// Line 13 of Algorithm 1: U without what is needed no more (needed_events.h). The events that are
// kept get new names. All of U is looked through only when it is much larger than after the last
// time.
#pragma once

#include <cstddef>
#include <vector>

#include "explore/unfolding/alternatives.h"
#include "explore/unfolding/disabled.h"
#include "explore/unfolding/extensions.h"
#include "explore/unfolding/statistics.h"

namespace mazur::unfolding {

class Forgetting {
 public:
  Forgetting(EventStructure& structure, Configuration& configuration, Extensions& extensions,
             Alternatives& alternatives, Disabled& disabled, Statistics& statistics)
      : structure_(structure),
        configuration_(configuration),
        extensions_(extensions),
        alternatives_(alternatives),
        disabled_(disabled),
        statistics_(statistics) {}

  // `add`: A, which is kept.
  void forget_if_many(std::vector<EventId>& add) {
    if (structure_.size() > enough_) forget(add);
  }

 private:
  static constexpr std::size_t kFewEvents = 32;
  static constexpr std::size_t kManyEvents = 1 << 16;

  void forget(std::vector<EventId>& add);

  EventStructure& structure_;
  Configuration& configuration_;
  Extensions& extensions_;
  Alternatives& alternatives_;
  Disabled& disabled_;
  Statistics& statistics_;
  std::size_t enough_ = kFewEvents;  // events in U
};

}  // namespace mazur::unfolding
