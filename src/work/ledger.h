// The ledger of an exploration that several workers share: which pieces are open, who has which, and
// what came of those that are done.
//
// Pieces stand in the order of a depth-first search by one explorer. What is left of a piece takes
// its place. So it is known which of two errors one explorer would have found first, and how many
// executions it would have run until then: the result does not depend on how many workers there are.
//
// Safe for use by several threads.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "protocol/record.h"
#include "protocol/slice.h"
#include "protocol/verdict.h"

namespace mazur {

// An error that a worker has found.
struct FoundError {
  std::uint64_t place = 0;  // the same for the same error
  Record record;            // execution: counted from the beginning of its piece
};

// A piece that a worker has.
struct Claim {
  std::uint64_t number = 0;
  unsigned beginning = 0;  // how often the exploration had begun
  Offer offer;
};

class Ledger {
 public:
  // `keep_going`: go on after an error. `first`: the error that is found first ends everything, and
  // not the one that one explorer would have found first. The whole program is the one open piece.
  Ledger(bool keep_going, bool first);

  // Waits until a piece is open, for a moment at most. Nothing: there was none.
  std::optional<Claim> claim();
  // The claimed piece is done, or in part: closes it, puts what is left in its place, and adds what
  // was counted and found. False: it cannot be used. Then the piece is open again, unless it belongs
  // to an earlier beginning, and the worker's process has to start anew.
  bool finish(const Claim& claim, SliceEnd end, std::vector<FoundError> errors);
  // The worker has died. The piece is open again. Returns how many have died with it.
  unsigned release(const Claim& claim);
  // Nothing more is to be claimed: it was interrupted, a limit was reached, or something happened
  // that cannot be trusted.
  void stop(Verdict verdict, const std::string& reason, Cuts cuts);

  bool is_over() const;                      // nothing is left, or it was stopped
  bool is_useful(const Claim& claim) const;  // somebody still wants what comes of it
  std::size_t wanted() const;                // how many workers have nothing to do

  struct Totals {
    Tally tally;
    std::uint64_t pieces = 0;  // that were closed
    std::uint64_t open = 0, claimed = 0;
    unsigned beginnings = 1;
  };
  Totals totals() const;

  // When it is over.
  struct Result {
    Verdict verdict = Verdict::kVerified;
    std::string reason;
    Cuts cuts;
    Tally tally;
    std::vector<FoundError> errors;  // each once, with its count
    bool finished = false;           // everything was explored, and nothing was cut
  };
  Result result() const;

 private:
  enum class State : std::uint8_t { kOpen, kClaimed, kClosed };
  struct Item {
    State state = State::kOpen;
    std::uint64_t number = 0;  // of the claim
    std::string piece;
    unsigned deaths = 0;
    unsigned refusals = 0;
    // Of closed ones.
    Tally tally;
    std::vector<FoundError> errors;
    bool unsupported = false;  // the search ends here
    std::string reason;        // why
  };
  using Items = std::list<Item>;

  Items::iterator find(const Claim& claim);
  bool is_known(const Claim& claim) const;
  void begin_again();
  void fold();
  bool over() const;

  const bool keep_going_, first_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Items items_;  // in the order of the search. No two closed ones are neighbours
  SharedKnowledge known_;
  std::uint64_t claims_ = 0;
  std::uint64_t closed_ = 0;
  unsigned beginning_ = 1;
  std::size_t waiting_ = 0;
  bool stopped_ = false;
  Verdict verdict_ = Verdict::kVerified;
  std::string reason_;
  Cuts cuts_;
};

}  // namespace mazur
