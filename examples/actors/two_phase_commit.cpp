// Two-phase commit, with a participant that does not wait for ever.
//
//   mazur check examples/actors/two_phase_commit.cpp -std=c++20
//
// A participant that has voted yes and hears nothing for a while takes it that the coordinator
// gave up, and aborts. In most executions it did. two_phase_commit_fixed.cpp is the cure.
#include "two_phase_commit.h"

outcome bound(mz::mailbox<order_to_participant>& self) {
  const auto d = self.receive<decision>(mz::after(1000ms));
  return d ? as_outcome(*d) : outcome::aborted;
}

int main() { check_two_phase_commit(); }
