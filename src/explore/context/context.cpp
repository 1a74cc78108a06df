#include "explore/context/context.h"

#include "explore/context/context_observers.h"

namespace mazur {

std::unique_ptr<Explorer> make_context(const ExplorerOptions& options) {
  if (options.base == ContextBase::kSource) return make_source_context(options);
  return std::make_unique<ContextObservers>(options, Independence::kContext);
}

std::unique_ptr<Explorer> make_context_observers(const ExplorerOptions& options) {
  return std::make_unique<ContextObservers>(options, Independence::kBoth);
}

}  // namespace mazur
