// The memory orders that atomic operations and fences have: those that the program wrote, or others
// in their place (--weaken). What is replaced counts for everything: labels, and so execution graphs,
// and the clocks of data races.
//
// Hooks call used_order() before anything else. It is one comparison unless orders are noted.
#pragma once

#include "protocol/channel.h"
#include "trace/label.h"

namespace mazur::native {

extern bool orders_are_noted;

// Takes what the channel says, and notes sites there from now on.
void note_orders(Channel& channel);

// With orders_are_noted.
int noted_order(OpKind kind, int order, const volatile void* object, const void* pc);

[[gnu::always_inline]] inline int used_order(OpKind kind, int order, const volatile void* object,
                                             const void* pc) {
  return __builtin_expect(orders_are_noted, 0) ? noted_order(kind, order, object, pc) : order;
}

// The order of a compare-exchange that fails, if the other one has become `used`: what is left of an
// acquire, and no more than was written.
int used_failure_order(int order, int on_failure, int used);

}  // namespace mazur::native
