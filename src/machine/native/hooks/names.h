// Names that the program gives to its threads and objects, for reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trace/label.h"

namespace mazur::native {

// The threads of this execution that have a name. The name comes from mazur_name_thread, or else
// from pthread_setname_np.
std::vector<std::pair<ThreadId, std::string>> thread_names();
std::vector<std::pair<ObjectId, std::string>> object_names();

}  // namespace mazur::native
