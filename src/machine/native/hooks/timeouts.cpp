#include "machine/native/hooks/timeouts.h"

#include <algorithm>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {
namespace {

bool limited() {
  return in_execution() && runtime.channel != nullptr &&
         runtime.channel->request.timeouts != Timeouts::kAny;
}

}  // namespace

Deadline deadline_at(bool given, const void* pc) {
  if (!given || __builtin_expect(!limited(), 1)) return {.strikes = given};
  const bool first = runtime.channel->request.timeouts == Timeouts::kFirst;
  const auto& struck = runtime.current->timeouts;
  const auto place = reinterpret_cast<std::uint64_t>(pc);
  if (first && std::find(struck.begin(), struck.end(), place) == struck.end())
    return {.strikes = true};
  runtime.channel->no_timeout.store(1, std::memory_order_relaxed);
  return {.strikes = false, .order = first ? kPatient : Operation{}.order};
}

void note_timeout(const void* pc) {
  if (!limited()) return;
  const PrivateHeapScope scope;
  runtime.current->timeouts.push_back(reinterpret_cast<std::uint64_t>(pc));
}

}  // namespace mazur::native
