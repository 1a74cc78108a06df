// Predicates of receives, which are asked between steps.
#pragma once

namespace mazur::native {

// Whether a predicate is being asked. It belongs to no thread then, so a failure in it ends the
// exploration.
extern bool asking_predicate;
inline constexpr char kPredicateFailed[] =
    "the predicate of a receive threw, failed an assertion or crashed";

}  // namespace mazur::native
