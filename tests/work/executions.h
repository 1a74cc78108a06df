// A program whose executions are numbers: those from 0 to `size`, in this order, of which some fail.
// A piece is an interval of them. What one explorer would find is known without a ledger.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/random_source.h"
#include "work/ledger.h"

namespace mazur::test {

// What a worker has to say about its piece.
struct Slice {
  SliceEnd end;
  std::vector<FoundError> errors;

  void add_error(std::uint64_t place) {
    end.tally.failures++;
    for (FoundError& error : errors) {
      if (error.place != place) continue;
      ++error.record.count;
      return;
    }
    FoundError& error = errors.emplace_back();
    error.place = place;
    error.record.kind = FailureKind::kAssertion;
    error.record.execution = end.tally.complete;
  }
};

// What there is to find: the number of executions, and at which each error was first seen.
struct Found {
  std::uint64_t executions = 0;
  std::map<std::uint64_t, std::uint64_t> first;  // by place
  std::map<std::uint64_t, std::uint64_t> count;

  void add_error(std::uint64_t place) {
    first.emplace(place, executions);
    ++count[place];
  }
  friend bool operator==(const Found&, const Found&) = default;
};

inline Found found_in(const Ledger::Result& result) {
  Found found{.executions = result.tally.complete};
  for (const FoundError& error : result.errors) {
    found.first.emplace(error.place, error.record.execution);
    found.count[error.place] += error.record.count;
  }
  return found;
}

struct Executions {
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  bool keep_going = false;
  std::uint32_t one_fails_of = 40;

  bool fails(std::uint64_t n) const { return RandomSource(seed, n).below(one_fails_of) == 0; }
  std::uint64_t place(std::uint64_t n) const { return RandomSource(seed, n).next() % 5; }

  Found all() const {
    Found found;
    for (std::uint64_t n = 0; n < size; ++n) {
      ++found.executions;
      if (!fails(n)) continue;
      found.add_error(place(n));
      if (!keep_going) break;
    }
    return found;
  }
  Slice explore(const Offer& offer, RandomSource& random) const {
    return explore(offer.piece, random);
  }
  Slice explore(const std::string& piece, RandomSource& random) const {
    std::uint64_t at = 0, last = size;
    if (!piece.empty()) {
      at = std::stoull(piece);
      last = std::stoull(piece.substr(piece.find(' ')));
    }
    Slice slice;
    std::uint64_t& executions = slice.end.tally.complete;
    const std::uint64_t pause = at + 1 + random.below(12);
    bool over = false;
    for (; at < last && at < pause && !over; ++at) {
      ++executions;
      if (!fails(at)) continue;
      slice.add_error(place(at));
      over = !keep_going;
    }
    slice.end.verdict = slice.errors.empty() ? Verdict::kVerified : Verdict::kBug;
    if (over || at == last) return slice;
    slice.end.paused = true;
    if (slice.errors.empty()) slice.end.verdict = Verdict::kIncomplete;
    const std::uint64_t parts = 1 + random.below(4);
    for (std::uint64_t i = 0; i < parts && at < last; ++i) {
      const std::uint64_t end = i + 1 == parts ? last : at + 1 + random.below(20);
      slice.end.pieces.push_back(std::to_string(at) + " " + std::to_string(std::min(end, last)));
      at = end;
    }
    return slice;
  }
};

}  // namespace mazur::test
