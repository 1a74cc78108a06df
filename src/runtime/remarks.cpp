#include "runtime/remarks.h"

#include <algorithm>
#include <cstring>

namespace mazur::native {

Remarks remarks_in(const Channel& channel) {
  Remarks remarks;
  remarks.has_sequential_objects = channel.sequential_objects.load() != 0;
  remarks.has_unexplored_wakeups = channel.no_spurious_wakeup.load() != 0;
  for (std::uint32_t i = 0; i < std::min(channel.module_count, Channel::kMaxModules); ++i) {
    const LoadedModule& listed = channel.module[i];
    if (listed.called == 0) continue;
    CalledModule called{.module = {listed.base, listed.begin, listed.end, listed.path}};
    const std::size_t callers = std::min<std::size_t>(listed.callers, LoadedModule::kCallers);
    called.callers.assign(listed.caller, listed.caller + callers);
    remarks.called.push_back(std::move(called));
  }
  return remarks;
}

}  // namespace mazur::native
