#include "machine/native/weak/used_orders.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "machine/native/engine/call_stack.h"
#include "machine/native/memory/private_heap.h"

namespace mazur::native {

bool orders_are_noted = false;

namespace {

struct Known {
  std::uint8_t order = 0;
  bool noted = false;  // in the channel
};

Channel* channel = nullptr;
std::unordered_map<std::uint64_t, Known> known;  // by key
std::unordered_set<std::uint64_t> deep;          // Channel::deep_call

// Another process, of which this one is a copy, may have noted it.
bool is_in_channel(std::uint64_t key) {
  const std::uint32_t count = std::min(channel->order_sites.load(), Channel::kMaxOrderSites);
  return std::any_of(channel->order_site, channel->order_site + count,
                     [key](const OrderSite& site) { return site.key == key; });
}

void note(const OrderSite& site) {
  if (is_in_channel(site.key)) return;
  const std::uint32_t at = channel->order_sites.load();
  if (at < Channel::kMaxOrderSites) channel->order_site[at] = site;
  channel->order_sites.store(at + 1);
}

}  // namespace

void note_orders(Channel& with) {
  const PrivateHeapScope scope;
  channel = &with;
  for (std::uint32_t i = 0; i < std::min(with.used_orders, Channel::kMaxOrderSites); ++i)
    known[with.used_order[i].key] = {with.used_order[i].order};
  for (std::uint32_t i = 0; i < std::min(with.deep_calls, Channel::kMaxOrderSites); ++i)
    deep.insert(with.deep_call[i]);
  orders_are_noted = true;
}

int noted_order(OpKind kind, int order, const volatile void* object, const void* pc) {
  const PrivateHeapScope scope;
  const auto call = reinterpret_cast<std::uint64_t>(pc);
  std::uint64_t key = order_site_key(kind, order, call);
  std::vector<std::uint64_t> stack;
  if (deep.contains(call)) {
    stack = call_stack(call);
    for (std::size_t i = 1; i < stack.size() && i <= kCallersOfSite; ++i)
      key = mixed(key, stack[i]);
  }
  const auto [at, fresh] = known.try_emplace(key, Known{static_cast<std::uint8_t>(order)});
  if (!at->second.noted) {
    at->second.noted = true;
    if (stack.empty()) stack = call_stack(call);
    OrderSite site{.key = key,
                   .object = reinterpret_cast<std::uint64_t>(object),
                   .kind = kind,
                   .order = static_cast<std::uint8_t>(order)};
    site.frames = static_cast<std::uint32_t>(std::min(stack.size(), OrderSite::kFrames));
    std::copy_n(stack.begin(), site.frames, site.stack);
    note(site);
  }
  return at->second.order;
}

int used_failure_order(int order, int on_failure, int used) {
  if (used == order || used == __ATOMIC_SEQ_CST) return on_failure;
  if (used == __ATOMIC_RELAXED || used == __ATOMIC_RELEASE) return __ATOMIC_RELAXED;
  return on_failure == __ATOMIC_SEQ_CST ? __ATOMIC_ACQUIRE : on_failure;
}

}  // namespace mazur::native
