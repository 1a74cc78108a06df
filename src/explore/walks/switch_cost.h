// What a step costs under a bound on schedules.
//
// Preemptions (Musuvathi and Qadeer, "Iterative context bounding"): a step of another thread than
// the last one costs 1 if the last one could have gone on. When it has ended, is blocked or has
// just yielded, a switch is free.
//
// Delays (Emmi, Qadeer and Rakamaric, "Delay-bounded scheduling"): without delays, the last thread
// goes on as long as it can and does not yield; then comes the next enabled one by number, after
// the last the first. A step costs the number of enabled threads that it passes over in that order.
#pragma once

#include <cstdint>

#include "explore/explorer.h"

namespace mazur {

inline std::uint32_t preemptions(const Trace& trace, const Frontier& frontier, ThreadId next) {
  if (trace.empty()) return 0;
  const Event& last = trace.events().back();
  if (last.thread == next || last.label.kind == OpKind::kYield) return 0;
  const Pending* p = frontier.find(last.thread);
  return p != nullptr && p->enabled ? 1 : 0;
}

inline std::uint32_t delays(const Trace& trace, const Frontier& frontier, ThreadId next) {
  // The numbers of threads begin anew after the last one: shift them so that the preferred thread
  // has 0.
  std::uint16_t preferred = 0;
  if (!trace.empty()) {
    const Event& last = trace.events().back();
    preferred = last.thread;
    if (last.label.kind == OpKind::kYield) ++preferred;
  }
  const auto place = [preferred](ThreadId thread) {
    return static_cast<std::uint16_t>(thread - preferred);
  };
  std::uint32_t passed = 0;
  for (const Pending& p : frontier.threads())
    if (p.enabled && place(p.thread) < place(next)) ++passed;
  return passed;
}

}  // namespace mazur
