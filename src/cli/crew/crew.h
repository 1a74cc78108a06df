// The workers of one mazur: processes that each have their own copy of the program, and a thread of
// mazur for each that claims a piece from the ledger, offers it to the process and finishes it.
//
// Who has nothing to do asks the one that has been at its piece for longest to hand back what is left
// of it. With a durable ledger a worker is asked after about a second in any case, so that no more
// than that is lost, and other machines find something to do.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/crew/run_estimate.h"
#include "cli/crew/worker_process.h"
#include "cli/run/program_run.h"
#include "work/ledger.h"

namespace mazur {

class Crew {
 public:
  // All must live as long. The run's time limit is that of run().
  Crew(const ProgramRun& run, const Installation& installation, Ledger& ledger);
  ~Crew();

  // With a durable ledger: in every process these modules have to lie where they lie here.
  void expect(std::vector<CheckedModule> modules);

  // Explores with so many processes until nothing is left, or until a Ctrl-C or the time limit ends
  // it here. Returns whether nothing is left. Throws UsageError and LedgerError.
  bool run(unsigned processes);

  // That its processes have run and the ledger has been told about.
  std::uint64_t executions() const { return executions_; }

  // What the ledger says then, and the processes of this crew.
  ProgramEnd end();

 private:
  // A worker as the others see it.
  struct Hand {
    std::mutex mutex;
    std::unique_ptr<WorkerProcess> process;  // null: it has none
    bool busy = false;
    bool asked = false;  // for what is left of its piece
    bool idle = false;   // it has found nothing to do
    std::chrono::steady_clock::time_point since;
  };

  void work(Hand& hand);
  void start(Hand& hand);
  bool explore(Hand& hand, const Claim& claim);
  void offer(Hand& hand, const Claim& claim);
  void urge(Hand& hand);
  bool take(Hand& hand, const Claim& claim);
  void bury(Hand& hand, const Claim& claim, bool killed);
  void leave(Hand& hand);
  void ask_longest();
  void renew();
  void check_modules(const WorkerProcess& process);
  bool leaving() const;
  double left() const;
  // Of all, with what is under way here.
  struct Progress {
    Tally tally;
    double explored = 0;
  };
  Progress progress();
  WorkerInfo info();

  const ProgramRun& run_;
  const Installation& installation_;
  Ledger& ledger_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  const std::string name_;
  std::vector<std::unique_ptr<Hand>> hands_;
  RunEstimate estimate_;  // used by run() alone
  // By run() alone: when the ledger was last told about this worker, and what.
  std::chrono::steady_clock::time_point told_;
  WorkerInfo said_;
  std::mutex mutex_;  // for what follows
  std::vector<CheckedModule> modules_;
  bool modules_are_known_ = false;
  std::uint64_t peak_rss_kb_ = 0;
  std::uint64_t executions_ = 0;
  std::exception_ptr error_;  // what a thread could not go on with
  std::atomic<bool> failed_ = false;
  double seconds_ = 0;
};

}  // namespace mazur
