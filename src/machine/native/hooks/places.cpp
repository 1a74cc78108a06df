#include "machine/native/hooks/places.h"

#include <backtrace.h>

#include <string_view>
#include <unordered_map>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {
namespace {

struct Known {
  std::vector<std::uint64_t> stack;
  std::uint8_t loop_bound = 0;
};

std::unordered_map<std::uint64_t, Known>& places() {
  static auto& all = *new std::unordered_map<std::uint64_t, Known>;
  return all;
}

// Whether a path of the debug information is the file that was meant: it ends with the same names.
bool is_file(std::string_view path, std::string_view meant) {
  return path.ends_with(meant) &&
         (path.size() == meant.size() || path[path.size() - meant.size() - 1] == '/');
}

int look_at_frame(void* found, std::uintptr_t, const char* file, int line, const char*) {
  const Request& request = runtime.channel->request;
  auto& bound = *static_cast<std::uint8_t*>(found);
  for (std::uint32_t i = 0; bound == 0 && file != nullptr && i < request.bounds.loop_count; ++i)
    if (static_cast<std::uint32_t>(line) == request.loop_lines[i].line &&
        is_file(file, request.loop_lines[i].file))
      bound = static_cast<std::uint8_t>(i + 1);
  return 0;
}

void ignore_error(void*, const char*, int) {}

// The innermost frame at one of the lines decides.
std::uint8_t bound_of(const std::vector<std::uint64_t>& stack) {
  static backtrace_state* state = backtrace_create_state(nullptr, 0, ignore_error, nullptr);
  std::uint8_t bound = 0;
  if (state == nullptr) return bound;
  for (const std::uint64_t pc : stack) {
    backtrace_pcinfo(state, pc - 1, look_at_frame, ignore_error, &bound);
    if (bound != 0) break;
  }
  return bound;
}

}  // namespace

void note_places(std::vector<Pending>& threads) {
  for (Pending& p : threads) {
    const auto known = places().find(p.place);
    if (known != places().end()) {
      p.loop_bound = known->second.loop_bound;
      continue;
    }
    const OwnStorage storage;
    const PrivateHeapScope scope;
    Known fresh{.stack = fibers[p.thread]->call_stack};
    if (runtime.channel->request.bounds.loop_count != 0) fresh.loop_bound = bound_of(fresh.stack);
    if (fresh.loop_bound != 0)
      runtime.channel->loop_lines_met.fetch_or(1u << (fresh.loop_bound - 1));
    p.loop_bound = fresh.loop_bound;
    places().emplace(p.place, std::move(fresh));
  }
}

std::vector<std::uint64_t> stack_at(std::uint64_t place) {
  const auto known = places().find(place);
  return known == places().end() ? std::vector<std::uint64_t>{} : known->second.stack;
}

}  // namespace mazur::native
