// mazur check --weaken: which memory orders of a verified program could be weaker.
//
// One line after the other gets the weakest order with which the program is still verified, with
// all that were found before in place. Weaker orders never allow less. So nothing that is left at
// the end can be weaker, and the last exploration that verified something is a proof for all of
// them together.
#pragma once

#include "cli/run/program_run.h"
#include "report/findings/finding.h"

namespace mazur {

// `run` has ended so, with request.note_orders, and was verified. Explores again and again, at most
// until the time limit of the run is over, which includes what `first` took.
Weakening weaken(const ProgramRun& run, const ProgramEnd& first, const Installation& installation);

}  // namespace mazur
