#include "protocol/property.h"

namespace mazur {

std::string_view property_name(Property property) {
  switch (property) {
    case Property::kNone:
      break;
    case Property::kUnreachCall:
      return "unreach-call";
    case Property::kNoDataRace:
      return "no-data-race";
    case Property::kNoDeadlock:
      return "no-deadlock";
  }
  return "";
}

bool violates(FailureKind kind, Property property) {
  switch (property) {
    case Property::kNone:
      break;
    case Property::kUnreachCall:
      return kind == FailureKind::kAssertion;
    case Property::kNoDataRace:
      return kind == FailureKind::kDataRace;
    case Property::kNoDeadlock:
      return kind == FailureKind::kDeadlock;
  }
  return false;
}

bool only_ends(FailureKind kind, Property property) {
  if (property == Property::kNone) return false;
  switch (kind) {
    case FailureKind::kAssertion:
    case FailureKind::kAbort:
    case FailureKind::kUncaughtException:
    case FailureKind::kExitCode:
      return true;
    case FailureKind::kDeadlock:
      return !standstill_counts(property);
    default:
      return false;
  }
}

bool standstill_counts(Property property) {
  return property == Property::kNone || property == Property::kNoDeadlock;
}

}  // namespace mazur
