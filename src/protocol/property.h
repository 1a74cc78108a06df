// The properties of SV-COMP that can be checked. Under one of them only its violation is an error:
// abort, a failed assertion, a deadlock or an exit code are ordinary ends of an execution.
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/failure.h"

namespace mazur {

enum class Property : std::uint32_t {
  kNone,
  kUnreachCall,  // a function (reach_error) is never called
  kNoDataRace,
  kNoDeadlock,
};

// As SV-COMP calls it.
std::string_view property_name(Property property);

// Whether an error of this kind violates the property. (Under kUnreachCall nothing but the call is
// reported as a failed assertion.)
bool violates(FailureKind kind, Property property);

// Whether an error of this kind of one thread is not one under the property, but the end of the
// execution. A crash is neither that nor a violation: it says nothing about the property.
bool only_ends(FailureKind kind, Property property);

// Whether a state in which no thread can go on is an error.
bool standstill_counts(Property property);

}  // namespace mazur
