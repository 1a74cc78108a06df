#include "explore/explorer.h"

#include "explore/context/context.h"
#include "explore/dpor/dpor.h"
#include "explore/dpor/optimal.h"
#include "explore/dpor/source.h"
#include "explore/lazy/lazy.h"
#include "explore/observers/observers.h"
#include "explore/unfolding/quasi.h"
#include "explore/walks/bounded.h"
#include "explore/walks/naive.h"
#include "explore/walks/pct.h"
#include "explore/walks/random.h"

namespace mazur {

std::unique_ptr<Explorer> make_context(const ExplorerOptions& options) {
  return options.base == ContextBase::kSource ? make_source_context(options)
                                              : make_optimal_context(options);
}

std::unique_ptr<Explorer> make_explorer(std::string_view name, const ExplorerOptions& options) {
  if (options.schedule_bound == ScheduleBound::kContexts)
    return name == "quasi" ? make_quasi(options) : nullptr;
  if (name == "bounded") return make_bounded(options, Repeats::kGivenUp);
  if (options.schedule_bound != ScheduleBound::kNone)
    return name == "naive" ? make_bounded(options, Repeats::kRun) : nullptr;
  if (name == "optimal") return make_optimal(options);
  if (name == "observers") return make_observers(options);
  if (name == "context") return make_context(options);
  if (name == "context-observers") return make_context_observers(options);
  if (name == "source") return make_source(options);
  if (name == "quasi") return make_quasi(options);
  if (name == "dpor") return make_dpor(options);
  if (name == "lazy") return make_lazy(options);
  if (name == "naive") return make_naive(options);
  if (name == "random") return make_random(options);
  if (name == "pct") return make_pct(options);
  return nullptr;
}

}  // namespace mazur
