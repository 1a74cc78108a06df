// Reader-writer locks as reports see them. The rules are in rwlock.cpp.
#pragma once

#include "machine/native/primitives/primitive.h"

namespace mazur::native {

// Who has it for writing, or kNoThread.
ThreadId rwlock_writer(ObjectId object);

}  // namespace mazur::native
