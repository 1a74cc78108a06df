// Exploring with a ledger that outlives this process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/ledger/run_terms.h"
#include "cli/ledger/settled_program.h"
#include "cli/run/program_run.h"
#include "work/ledger.h"

namespace mazur {

// A ledger that is open, and what it says about its run.
struct OpenLedger {
  std::unique_ptr<Ledger> ledger;
  RunTerms terms;
};

// Makes the ledger if need be: its run then has these terms. Throws UsageError and LedgerError.
OpenLedger begin_or_resume(const std::string& place, const RunTerms& terms,
                           const CheckOptions& options);
// It must be there. `reads`: it is only looked at.
OpenLedger open_ledger(const std::string& place, bool reads);

// Throws UsageError with the difference if a run with the terms of this ledger cannot go on with `mine`.
void require_fit(const OpenLedger& ledger, const RunTerms& mine);

// The file of suppressions that processes of the run read, from the ledger.
class Suppressions {
 public:
  // Changes the request accordingly. Throws UsageError.
  Suppressions(const RunTerms& terms, Request& request);

 private:
  std::unique_ptr<TemporaryFolder> folder_;
};

// mazur check --ledger: explores until nothing is left, or until it is interrupted, and says what the
// whole run has come to. `run` is changed to what all workers start. Throws UsageError and LedgerError.
struct LedgerEnd {
  ProgramEnd end;
  bool over = false;  // else the same command goes on
};
LedgerEnd run_with_ledger(ProgramRun& run, const CheckOptions& options,
                          const Installation& installation);

}  // namespace mazur
