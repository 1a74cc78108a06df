// Operations in words.
#pragma once

#include <string_view>

#include "trace/label.h"

namespace mazur {

// "mutex lock", "atomic load", ...
std::string_view operation_name(OpKind kind);

}  // namespace mazur
