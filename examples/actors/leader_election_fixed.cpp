// Leader election in a ring: smaller numbers are never passed on.
//
//   mazur check examples/actors/leader_election_fixed.cpp -std=c++20
#include "leader_election.h"

bool relays(int, int) { return false; }

int main() { check_election(); }
