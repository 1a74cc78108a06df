// What a request asks of an exploration, on any machine.
#pragma once

#include <string_view>

#include "protocol/channel.h"

namespace mazur {

// request.explorer, knowing what else is asked for.
ExplorerOptions explorer_options_of(const Request& request);

// Only violations of this property are errors. `function`: for Property::kUnreachCall.
void set_property(Request& request, Property property, std::string_view function);

}  // namespace mazur
