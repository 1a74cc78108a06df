// Two-phase commit: who has voted yes waits for the decision, however long it takes.
//
//   mazur check examples/actors/two_phase_commit_fixed.cpp -std=c++20
#include "two_phase_commit.h"

outcome bound(mz::mailbox<order_to_participant>& self) {
  return as_outcome(self.receive<decision>());
}

int main() { check_two_phase_commit(); }
