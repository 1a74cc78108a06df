// Context-sensitive independence. For single operations the labels tell
// (explore/context/commute.h). Where an atomic block takes part, both orders are executed on the
// side and compared ("Optimal dynamic partial order reduction with context-sensitive independence
// and observers", section 3.4).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "explore/probe.h"
#include "trace/trace.h"

namespace mazur {

class ContextIndependence {
 public:
  void use_probe(Probe* probe) { probe_ = probe; }

  // E'.u.f.e, for E' = pre(E, e) and events u between e and f.
  struct Swapped {
    Event f, e;  // with the labels they have there
  };
  // E'.u.f.e, if it leads to the same state as E'.u.e.f; else nothing. u is ance(e, f, E).
  std::optional<Swapped> swapped(const Trace& trace, std::span<const EventIndex> u, EventIndex e,
                                 EventIndex f);
  // Where a block takes part: whether E'.u.e.f and E'.u.f.e lead to the same state: the same values
  // in all that e or f writes in either order, and threads that go on alike. Then the second order,
  // else nothing. What was compared is remembered.
  std::optional<Swapped> equal(const Trace& trace, std::span<const EventIndex> u, EventIndex e,
                               EventIndex f);

 private:
  struct Hash {
    std::size_t operator()(const std::vector<Step>& steps) const;
  };
  std::optional<Swapped> compare(std::size_t prefix);

  Probe* probe_ = nullptr;
  std::vector<Step> steps_;  // E'.u.e.f
  std::unordered_map<std::vector<Step>, std::optional<Swapped>, Hash> known_;
};

}  // namespace mazur
