#include "cli/crew/parallel_run.h"

#include "cli/crew/crew.h"
#include "cli/crew/shortening.h"
#include "cli/run/interrupts.h"
#include "cli/run/start_program.h"

namespace mazur {

ProgramEnd run_in_parallel(const ProgramRun& run, unsigned workers, bool first,
                           const Installation& installation) {
  require_runtime(installation);
  const InterruptGuard guard;
  Ledger ledger(run.request.bounds.keep_going, first);
  Crew crew(run, installation, ledger);
  crew.run(workers);
  ProgramEnd end = crew.end();
  shorten(end.records, run, installation);
  return end;
}

}  // namespace mazur
