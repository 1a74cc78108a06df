// Leader election in a ring, with a shortcut.
//
//   mazur check examples/actors/leader_election.cpp -std=c++20
//
// A node that has not started yet relays whatever comes: it is no candidate, it thinks, and will
// start when it is told to. If that is too late, the others have a leader already, and not the
// right one. leader_election_fixed.cpp puts its own number in the place of a smaller one.
#include "leader_election.h"

bool relays(int, int) { return true; }

int main() { check_election(); }
