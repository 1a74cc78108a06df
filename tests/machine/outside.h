// What the pieces under test see of the runtime.
#pragma once

#include "machine/native/engine/fiber.h"

namespace mazur::native {

// So many threads exist.
inline void set_threads(ThreadId count) { fiber_count = count; }

}  // namespace mazur::native
