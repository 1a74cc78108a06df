// What the paper's sections 6.2 and 6.4 measure: depths of trees, distances, where the time goes.
#pragma once

#include <cstdint>
#include <string>

#include "explore/unfolding/alternatives.h"
#include "explore/unfolding/structure/configuration.h"
#include "explore/unfolding/structure/event_structure.h"

namespace mazur::unfolding {

class Statistics {
 public:
  explicit Statistics(bool on) : on_(on), started_(on ? now() : 0) {}

  // For Configuration::measure(); nullptr if nothing is measured.
  Configuration::Distances* distances() { return on_ ? &distances_ : nullptr; }

  enum class Part : std::uint8_t { kAdding, kSearching, kForgetting };
  // Counts the time until it goes out of scope, if times are asked for.
  class Timer {
   public:
    Timer(Statistics& statistics, Part part)
        : sum_(statistics.on_ ? &statistics.times_[static_cast<int>(part)] : nullptr),
          start_(sum_ != nullptr ? now() : 0) {}
    ~Timer() {
      if (sum_ != nullptr) *sum_ += now() - start_;
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    double* sum_;
    double start_;
  };
  // U has been looked through for what can be forgotten.
  void count_forgetting() { ++forgettings_; }

  // Lines for people.
  std::string text(const EventStructure& structure, const Alternatives& alternatives) const;

 private:
  static double now();

  bool on_;
  double started_;
  Configuration::Distances distances_;
  double times_[3] = {};  // by Part; searching includes forgetting
  std::uint64_t forgettings_ = 0;
};

}  // namespace mazur::unfolding
