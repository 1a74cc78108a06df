// What a ledger knows about a run as a whole, and about an item, as bytes.
//
// Bytes from a store are not trusted: each has a checksum, and every number in them is checked.
// Those that make no sense give a LedgerError.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/bounds.h"
#include "protocol/record.h"
#include "protocol/slice.h"
#include "protocol/verdict.h"

namespace mazur {

// An error that a worker has found.
struct FoundError {
  std::uint64_t place = 0;  // the same for the same error
  Record record;            // execution: counted from the beginning of its item
};

// What a run is about. It never changes.
struct RunFacts {
  std::string terms;  // what a worker has to know and to agree on: bytes that mean nothing here
  bool keep_going = false, first = false;
};

struct RunState {
  RunFacts facts;
  unsigned beginning = 1;
  SharedKnowledge known;
  Cuts cuts;
  std::string reason;
  Remarks remarks;
  bool stopped = false;
  Verdict verdict = Verdict::kVerified;  // with which it was stopped
  std::vector<Record> records;           // that tell why
};

// What came of an item so far.
struct ItemResults {
  Tally tally;
  std::vector<FoundError> errors;
  bool unsupported = false;  // the search ends here
  std::string reason;        // why
};

void add(Tally& sum, const Tally& more);
// Adds what was found after that.
void add(ItemResults& all, ItemResults&& more);

std::string encode(const RunState& run);
std::string encode(const ItemResults& results);
std::string seal(const std::string& piece);
// `ledger`: how it is called in the sentence of an error.
RunState decode_run(std::string_view bytes, const std::string& ledger);
ItemResults decode_results(std::string_view bytes, const std::string& ledger);  // "": none yet
std::string unseal(std::string_view bytes, const std::string& ledger);

}  // namespace mazur
