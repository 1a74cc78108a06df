#include "protocol/request.h"

namespace mazur {

ExplorerOptions explorer_options_of(const Request& request) {
  ExplorerOptions options = request.explorer;
  options.data_races = request.races == Races::kReport;
  return options;
}

void set_property(Request& request, Property property, std::string_view function) {
  request.property = property;
  request.bounds.standstill_fails = standstill_counts(property);
  function.copy(request.property_function, sizeof request.property_function - 1);
}

}  // namespace mazur
