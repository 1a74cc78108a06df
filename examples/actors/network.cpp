// A software-defined network whose controller can violate the policy.
//
//   mazur check examples/actors/network.cpp -std=c++20
//
// First the filter, then the route: in the order of sending that is right, but the filter may be
// under way to its switch for longer than the route to the entry and a packet from there.
// network_fixed.cpp waits for the answer in between.
#include "network.h"

void move_traffic(const mz::address<to_switch>& entry, const mz::address<to_switch>& new_path,
                  mz::mailbox<installed>& inbox) {
  new_path.send(filter_guests{inbox.self()});
  entry.send(route{new_path});
}

int main() { check_network(); }
