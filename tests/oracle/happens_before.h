// Mazurkiewicz traces, for the oracle: dependence, happens-before and a name for the class of an
// execution.
//
// Deliberately written without src/trace, and in another way (an operation is a set of touches of
// resources in a mode, and modes conflict), so that the two check each other.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "trace/label.h"

namespace mazur::model {

// Whether two executed operations of different threads depend, other than by creation and join.
bool conflict(const Event& a, const Event& b);

// The same without pairs of writes for which `exempt` holds of both.
using Exempt = std::function<bool(const Event& event, ObjectId from, ObjectId to)>;
bool conflict(const Event& a, const Event& b, const Exempt& exempt);

// The name of a class of executions: equal names, up to collisions of 128-bit hashes, mean the same
// events (thread, place in the thread, choice, results) in the same happens-before order.
struct ClassName {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const ClassName&, const ClassName&) = default;
  friend auto operator<=>(const ClassName&, const ClassName&) = default;
};

// An execution that grows and shrinks at its end, with happens-before as vector clocks.
class Causality {
 public:
  explicit Causality(std::size_t threads) : threads_(threads) {}

  void append(const Event& event);
  void truncate(std::size_t size);
  std::size_t size() const { return records_.size(); }
  const Event& operator[](std::size_t i) const { return records_[i].event; }
  ClassName name() const { return records_.empty() ? ClassName{} : records_.back().name; }
  // Reflexive.
  bool happens_before(std::size_t e, std::size_t f) const;

 private:
  struct Record {
    Event event;
    std::uint16_t place = 0;  // in its thread, from 1
    ClassName name;           // of the execution up to here
  };

  void join_clock(std::vector<std::uint16_t>& clock, std::size_t from) const;

  std::size_t threads_;
  std::vector<Record> records_;
  std::vector<std::uint16_t> clocks_;  // threads_ entries per event
  std::vector<std::uint16_t> clock_;
};

}  // namespace mazur::model

template <>
struct std::hash<mazur::model::ClassName> {
  std::size_t operator()(const mazur::model::ClassName& n) const noexcept { return n.low; }
};
