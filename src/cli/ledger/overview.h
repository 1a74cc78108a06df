// How far an exploration with a ledger is, for people and for programs.
#pragma once

#include <string>

#include "cli/ledger/run_terms.h"
#include "work/ledger.h"

namespace mazur {

// `explored`: what can be told of how much is done.
std::string overview_text(const Ledger::Overview& overview, const Explored& explored,
                          const RunTerms& terms);
std::string overview_json(const Ledger::Overview& overview, const Explored& explored,
                          const RunTerms& terms);

}  // namespace mazur
