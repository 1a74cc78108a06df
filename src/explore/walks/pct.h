// Probabilistic concurrency testing: "A Randomized Scheduler with Probabilistic Guarantees of
// Finding Bugs", Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010.
#pragma once

#include "explore/explorer.h"

namespace mazur {

// Every thread has a random priority and the highest enabled one goes. At options.pct_depth - 1
// random steps of the execution the thread that goes falls below all initial priorities. With n
// threads and k steps, a bug of depth d is found with probability at least 1 / (n k^(d-1)) in each
// execution.
//
// k is options.pct_steps or, if that is 0, the longest execution so far. The execution with number
// i depends only on the seed, i and k. A thread that yields falls below all others, so that a
// spinning thread cannot keep out the one it waits for. Never finishes; choose() is hot and
// allocates nothing but for a thread id larger than any before.
std::unique_ptr<Explorer> make_pct(const ExplorerOptions& options);

}  // namespace mazur
