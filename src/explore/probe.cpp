#include "explore/probe.h"

#include <vector>

#include "explore/planned_step.h"
#include "trace/atomic_block/block.h"
#include "trace/dependence.h"

namespace mazur {

void resolve(Probe& probe, const Trace& trace, Reversal& v) {
  std::vector<Step> steps;
  for (EventIndex i = 0; i < v.first(); ++i) steps.push_back(trace[i].step());
  v.restart();
  v.for_each([&](const Event& event) { steps.push_back(event.step()); });
  v.resolve(last_event(probe, steps).label);
}

const Event& last_event(Probe& probe, std::span<const Step> steps) {
  const Trace& run = probe.run(steps);
  if (run.size() != steps.size()) planned_step_is_not_possible();
  return run.events().back();
}

std::optional<std::uint64_t> written_value(const Trace& trace, ObjectId object,
                                           std::uint32_t size) {
  std::uint64_t value = 0;
  std::uint32_t missing = size >= 8 ? 0xff : (1u << size) - 1;
  for (std::size_t i = trace.size(); i-- > 0 && missing != 0;) {
    const Label& label = trace[static_cast<EventIndex>(i)].label;
    if (!writes_memory(label)) continue;
    for (std::uint32_t byte = 0; byte < size && byte < 8; ++byte) {
      if ((missing >> byte & 1) == 0) continue;
      const ByteWrite write = byte_write(label, object + byte);
      if (!write.written) continue;
      value |= std::uint64_t{write.after} << (byte * 8);
      missing &= ~(1u << byte);
    }
  }
  if (missing != 0) return std::nullopt;
  return value;
}

}  // namespace mazur
