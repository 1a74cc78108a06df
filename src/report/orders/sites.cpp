#include "report/orders/sites.h"

#include <algorithm>
#include <string_view>

#include "trace/fields.h"

namespace mazur {
namespace {

// Whether a frame outside of user code is of a function that takes a memory order and passes it on:
// std::atomic, std::atomic_ref, std::atomic_flag and the functions beside them.
bool passes_order_on(const Frame& frame) {
  const std::string_view file = frame.file;
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.find("atomic") != name.npos && name != "atomicity.h" && name != "atomic_wait.h" &&
         name != "shared_ptr_atomic.h";
}

}  // namespace

bool has_memory_order(OpKind kind) { return is_memory(kind) || kind == OpKind::kFence; }

std::optional<Frame> order_line(const std::vector<std::uint64_t>& stack, const Places& places) {
  for (const Frame& frame : places.stack(stack, true)) {
    if (frame.user) return frame.line != 0 ? std::optional(frame) : std::nullopt;
    if (!passes_order_on(frame)) return std::nullopt;
  }
  return std::nullopt;
}

bool is_in_passing(std::uint64_t pc, const Places& places) {
  const std::vector<Frame> frames = places.stack({pc}, true);
  return !frames.empty() && std::ranges::all_of(frames, [](const Frame& frame) {
    return !frame.user && passes_order_on(frame);
  });
}

std::uint32_t SiteNumbers::number_of(const Frame& line, OpKind kind) {
  const auto [at, fresh] = numbers_.try_emplace({line.file, line.line, kind},
                                                static_cast<std::uint32_t>(places_.size()));
  if (fresh) places_.push_back({line, kind});
  return at->second;
}

std::string_view site_operation(OpKind kind) {
  switch (kind) {
    case OpKind::kLoad:
      return "load";
    case OpKind::kStore:
      return "store";
    case OpKind::kCas:
      return "compare-exchange";
    case OpKind::kFence:
      return "fence";
    default:
      return "update";
  }
}

}  // namespace mazur
