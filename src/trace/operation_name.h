// Operations in words.
#pragma once

#include <string_view>

#include "trace/label.h"

namespace mazur {

// "mutex lock", "atomic load", ...
std::string_view operation_name(OpKind kind);

// What a thread does that is blocked in an operation on an object: "waits for mutex ", to be
// followed by the object. Empty for operations that want other words.
std::string_view waits_for_object(OpKind kind);

// "relaxed", ..., "seq_cst"; "plain" for what is none of them (__ATOMIC_*).
std::string_view memory_order_name(std::uint8_t order);

}  // namespace mazur
