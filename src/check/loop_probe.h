// How an explorer runs executions on the side (explore/probe.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/hash.h"
#include "base/stop.h"
#include "explore/probe.h"
#include "machine/machine.h"
#include "trace/trace.h"

namespace mazur {

// Executions on the side, between those that count.
class LoopProbe final : public Probe {
 public:
  explicit LoopProbe(Machine& machine) : machine_(machine) {}

  const Trace& run(std::span<const Step> steps) override {
    trace_.clear();
    machine_.follow(&trace_);
    machine_.restart();
    failed_ = machine_.failure() != nullptr;
    for (const Step& step : steps) {
      stop_if_wished();
      const Pending* pending = machine_.frontier().find(step.thread);
      if (pending == nullptr || !pending->enabled || step.choice >= pending->ways) break;
      trace_.append(machine_.run(step));
      failed_ = failed_ || machine_.failure() != nullptr;
    }
    return trace_;
  }

  std::optional<std::uint64_t> state_of(std::array<ThreadId, 2> threads) override {
    if (failed_) return std::nullopt;
    std::uint64_t h = machine_.finished() ? 1 : 0;
    const auto mix = [&h](std::uint64_t v) { h = mixed(h, v); };
    std::sort(threads.begin(), threads.end());  // they come in either order
    for (ThreadId thread : threads) {
      const auto own = machine_.local_state(thread);
      if (!own) return std::nullopt;
      mix(*own);
    }
    for (const Pending& p : machine_.frontier().threads()) {
      mix(std::uint64_t{p.thread} << 32 | std::uint64_t{p.ways} << 16 | p.enabled);
      mix(static_cast<std::uint64_t>(p.op.kind) << 32 | p.op.size);
      mix(p.op.object);
      mix(p.op.object2);
      mix(p.op.value);
      mix(p.pc);
    }
    return h;
  }

 private:
  Machine& machine_;
  Trace trace_;
  bool failed_ = false;  // some step of it
};

}  // namespace mazur
