// D of Algorithm 1 along an execution: for the prefix of each length, the events of D that can
// still be added to it. The others are in conflict with the prefix and need no further thought.
#pragma once

#include <span>
#include <vector>

#include "explore/unfolding/structure/configuration.h"

namespace mazur::unfolding {

class Disabled {
 public:
  std::span<const EventId> at(std::size_t length) const {
    const std::size_t begin = length == 0 ? 0 : ends_[length - 1];
    return {events_.data() + begin, ends_[length] - begin};
  }
  std::size_t depth() const { return ends_.size(); }
  // For the prefix that is one longer than the last one.
  void push(const Configuration& c) {
    const std::size_t end = events_.size();
    for (std::size_t i = ends_.size() < 2 ? 0 : ends_[ends_.size() - 2]; i < end; ++i)
      if (const EventId d = events_[i]; !c.conflicts(d)) events_.push_back(d);
    ends_.push_back(events_.size());
  }
  void truncate(std::size_t depth) {
    ends_.resize(depth);
    events_.resize(depth == 0 ? 0 : ends_.back());
  }
  void add(EventId e) {
    events_.push_back(e);
    ++ends_.back();
  }
  void rename(std::span<const EventId> names) {
    for (EventId& e : events_) e = names[e];
  }

 private:
  std::vector<EventId> events_;
  std::vector<std::size_t> ends_;  // by length of the prefix
};

}  // namespace mazur::unfolding
