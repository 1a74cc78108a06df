#include "protocol/request.h"

namespace mazur {

Bounds bounds_of(const Request& request) {
  Bounds bounds;
  bounds.max_steps = request.max_steps;
  bounds.max_executions = request.max_executions;
  bounds.unroll = request.unroll;
  bounds.time_limit = request.time_limit;
  bounds.keep_going = request.keep_going != 0;
  bounds.standstill_fails = standstill_counts(request.property);
  bounds.repeat = request.repeat != 0;
  return bounds;
}

ExplorerOptions explorer_options_of(const Request& request) {
  ExplorerOptions options;
  options.sleep_sets = request.sleep_sets != 0;
  options.stored_states = request.stored_states != 0;
  options.base = static_cast<ContextBase>(request.context_base);
  options.published_rules = request.published_rules != 0;
  options.quasi_k = request.quasi_k;
  options.statistics = request.statistics != 0;
  options.data_races = request.races == Races::kReport;
  options.pick = static_cast<PickOrder>(request.pick);
  options.seed = request.seed;
  options.pct_depth = request.pct_depth;
  options.schedule_bound = static_cast<ScheduleBound>(request.schedule_bound);
  if (options.schedule_bound != ScheduleBound::kNone) options.most = request.schedule_most;
  return options;
}

void set_property(Request& request, Property property, std::string_view function) {
  request.property = property;
  function.copy(request.property_function, sizeof request.property_function - 1);
}

}  // namespace mazur
