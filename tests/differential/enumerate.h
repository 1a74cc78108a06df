// The answer by brute force: every interleaving of a program, and the classes that they form.
//
// Written from the definitions, without clocks, races or anything else of src/:
// - A step is an atomic operation, lock, trylock, unlock, create or join. What a thread does
// between
//   two steps belongs to the first of them.
// - An atomic operation reads its variable (load, failed compare-exchange), or writes it (store),
// or
//   both. On a mutex, lock, unlock and a successful trylock write, and a failed trylock reads.
// - Two maximal interleavings are of the same Mazurkiewicz trace iff every thread does the same
//   steps, and each step on a variable or mutex has the same last write before it. (So the writes
//   have the same order, and each read its place among them.)
// - They are the same to observers iff every step that reads has the same last write before it and
//   the same set of writes before it; the order of stores that no read tells apart is free.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "program.h"

namespace differential {

// What one way to end is worth: the number of traces, interleavings, or classes of observers.
struct Ends {
  std::uint64_t traces = 0;
  std::uint64_t interleavings = 0;
};

struct Answer {
  // False: there was too much to search or a number grew too large, and the rest is meaningless.
  bool complete = false;
  // By outcome: the registers of all threads and the final variables, as the C text prints them.
  std::map<std::string, Ends> outcomes;
  Ends deadlocks;
  Ends all;
  // By registers alone.
  std::map<std::string, std::uint64_t> observed;
  std::uint64_t observed_deadlocks = 0;
  std::uint64_t observed_all = 0;
};

inline constexpr std::size_t kRegisterDigits = std::size_t{2} * kThreads * kRegisters;

struct Effort {
  std::size_t prefixes = 20'000;  // give up beyond so many classes of prefixes
  // Run what main does with threads as soon as it can be done. Create and join depend on nothing
  // that could come before them, so this leaves the traces as they are; interleavings are then not
  // counted.
  bool main_first = false;
};

Answer enumerate(const Program& program, const Effort& effort);

// One step of an interleaving.
struct Taken {
  std::size_t thread = 0;
  std::size_t place = 0;  // among the steps of its thread
  std::size_t object =
      0;  // of two objects, or threads that are created or joined: different numbers
  bool reads = false, writes = false;
};

// Calls `visit` with every maximal interleaving, one after another: to check what is above.
void each_interleaving(const Program& program,
                       const std::function<void(std::span<const Taken>)>& visit);

}  // namespace differential
