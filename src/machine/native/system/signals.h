// Signals between threads. The rules are in signals.cpp.
#pragma once

#include "trace/label.h"

namespace mazur::native {

// A thread begins with its creator's mask, and with no signal pending.
void inherit_signal_mask(ThreadId parent, ThreadId child);

}  // namespace mazur::native
