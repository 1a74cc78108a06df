// The papers' programs for the model machine, by the number of threads or whatever they are scaled
// by. All threads start with the program unless another one is said to create them. How many traces
// each has is known: literature_test.cpp.
#pragma once

#include "machine/model/program.h"

namespace mazur::model::literature {

// Shared variables.
Program readers(int n);
Program lastzero(int n);
Program indexer(int n);
Program indexer_small(int n);
Program filesystem(int n);
Program wakeup_stress(int n);
Program groups(int n);
Program entangled(int n);
Program ring(int n);
Program inc(int n, int k);
Program readers_writers(int n);
Program branching(int n);

// The same as the paper's tables of executions must have been measured. The ids of the threads are
// in the order of their names, which count the threads that the main thread or another one creates
// and are compared as text. In lastzero the threads begin with a step of their own.
Program lastzero_by_name(int n);
Program groups_by_name(int n);

// Mutexes.
Program disp(int servers, int rounds);
Program mpat(int k);
Program mpc(int producers, int workers);
Program pi(int n);
Program poke(int n, int k);

}  // namespace mazur::model::literature
