// Predicates of receives, which are asked between steps.
#pragma once

namespace mazur::native {

// Whether a predicate is being asked. It fails in nobody's thread then: what goes wrong in it ends
// the exploration.
extern bool asking_predicate;
inline constexpr char kPredicateFailed[] =
    "the predicate of a receive threw, failed an assertion or crashed";

}  // namespace mazur::native
