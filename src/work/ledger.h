// The ledger of an exploration that several workers share: which pieces are open, who has which, and
// what came of those that are done (docs/ledger.md).
//
// Pieces stand in the order of a depth-first search by one explorer. What is left of a piece takes
// its place. So it is known which of two errors one explorer would have found first, and how many
// executions it would have run until then: the result does not depend on how many workers there are,
// on what becomes of them, or on where the ledger is kept (work/store.h).
//
// A piece counts when it is finished, in one transaction with all that came of it, and only if its
// claim still stands. So nothing is lost, and nothing counts twice, whoever is killed when.
//
// Safe for use by several threads. What goes wrong with the store comes as a LedgerError.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/record.h"
#include "protocol/slice.h"
#include "protocol/verdict.h"
#include "work/open_store.h"
#include "work/run_state.h"
#include "work/store.h"

namespace mazur {

// A piece that a worker has.
struct Claim {
  std::uint64_t number = 0;
  unsigned beginning = 0;  // how often the exploration had begun
  Offer offer;
};

class Ledger {
 public:
  // In memory. `keep_going`: go on after an error. `first`: the error that is found first ends
  // everything, and not the one that one explorer would have found first. The whole program is the
  // one open piece.
  Ledger(bool keep_going, bool first);
  // The run in the store. If there is none yet, it begins with these facts; else they are not looked
  // at: compare them with facts() before claiming anything.
  Ledger(std::unique_ptr<LedgerStore> store, const RunFacts& facts);
  // The run in the store; throws if there is none.
  explicit Ledger(std::unique_ptr<LedgerStore> store);
  ~Ledger();

  const RunFacts& facts() const { return facts_; }
  // Whether it outlives this process. Then pieces should come back every second or so.
  bool is_durable() const { return store_->is_durable(); }
  // Without a password.
  std::string name() const { return store_->name(); }

  // Waits until a piece is open, for a moment at most. Nothing: there was none.
  std::optional<Claim> claim();
  // The claimed piece is done, or in part: closes it, puts what is left in its place, and adds what
  // was counted and found. False: it cannot be used. Then the piece is open again, unless it belongs
  // to an earlier beginning, and the worker's process has to start anew.
  bool finish(const Claim& claim, SliceEnd end, std::vector<FoundError> errors);
  // Gives the piece back as it was. Returns how many workers have died with it.
  enum class Why { kDied, kStopped };
  unsigned release(const Claim& claim, Why why = Why::kDied);
  // The run ends for everybody, for good: something happened that cannot be trusted. `records`: what
  // tells about it.
  void stop(Verdict verdict, const std::string& reason, Cuts cuts,
            std::vector<Record> records = {});
  // Nothing more is to be claimed here: it was interrupted, or a limit was reached. A durable ledger
  // can be gone on with.
  void interrupt(Verdict verdict, const std::string& reason, Cuts cuts);

  // A durable ledger must be told so every third of lease_seconds(), or sooner: this worker is alive
  // and keeps what it has claimed. In memory it does nothing.
  void renew(const WorkerInfo& info);
  double lease_seconds() const { return store_->lease_seconds(); }

  // These are cheap. Against a durable ledger they may lag by half a second.
  bool is_over();                      // nothing is left, or it was stopped
  bool is_useful(const Claim& claim);  // somebody still wants what comes of it
  std::size_t wanted();                // how many pieces should be open that are not

  struct Totals {
    Tally tally;
    std::uint64_t pieces = 0;  // that were finished
    std::uint64_t open = 0, claimed = 0;
    double seconds = 0;   // spent on them by all workers
    double explored = 0;  // an estimate: the part of the whole that is done; 0: not known
    unsigned beginnings = 1;
  };
  Totals totals();

  // For those who look at a run: not cheap.
  struct Overview {
    Totals totals;
    std::vector<WorkerInfo> workers;
    bool over = false;
  };
  Overview overview();

  // Small things that belong to the run. put(): false if there is one of this name already. What
  // begins with "report" is forgotten when the exploration begins again.
  bool put(const std::string& name, std::string_view bytes);
  std::optional<std::string> get(const std::string& name);
  // In the place of what was put there, and of all whose names go on after this one. Of two who do so
  // at the same time one may do it in vain.
  void replace(const std::string& name, std::string_view bytes);

  // When it is over, or was interrupted. Throws LedgerError if what stands in the ledger cannot be.
  struct Result {
    Verdict verdict = Verdict::kVerified;
    std::string reason;
    Cuts cuts;
    Tally tally;
    std::vector<FoundError> errors;  // each once, with its count
    std::vector<Record> records;     // what stop() got
    Remarks remarks;
    bool finished = false;  // everything was explored, and nothing was cut
  };
  Result result();

 private:
  struct View {  // what was last seen of the run
    std::chrono::steady_clock::time_point at;
    bool over = false;
    unsigned beginning = 1;
    Sums sums;
    std::uint64_t idle = 0;          // of all workers
    std::set<std::uint64_t> claims;  // of this one
  };
  enum class Finished { kGood, kUseless, kNeedsExclusive };
  struct Interruption {
    Verdict verdict;
    std::string reason;
    Cuts cuts;
  };

  const RunState& read_run(LedgerTransaction& t);
  void begin(LedgerTransaction& t, const RunFacts* facts);
  std::optional<Claim> try_claim();
  Finished finish(LedgerTransaction& t, bool exclusive, const Claim& claim, const SliceEnd& end,
                  const std::vector<FoundError>& errors);
  Finished refuse(LedgerTransaction& t, bool exclusive, ItemRow item);
  void see(LedgerTransaction& t);
  void see_again();
  void tell_others();

  const std::unique_ptr<LedgerStore> store_;
  RunFacts facts_;

  // Taken before mutex_ where both are needed. For what follows, and for the store.
  std::mutex store_mutex_;
  std::string run_bytes_;
  RunState run_;              // what they say
  std::uint32_t worker_ = 0;  // 0: it has not entered yet
  std::uint32_t claims_ = 0;
  View view_;

  mutable std::mutex mutex_;  // for what follows
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  std::size_t waiting_ = 0;
  std::chrono::milliseconds patience_{1};  // after that, who waits looks again
  std::optional<Interruption> interruption_;
};

}  // namespace mazur
