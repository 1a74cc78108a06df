// A software-defined network: the route changes when the filter is known to be there.
//
//   mazur check examples/actors/network_fixed.cpp -std=c++20
#include "network.h"

void move_traffic(const mz::address<to_switch>& entry, const mz::address<to_switch>& new_path,
                  mz::mailbox<installed>& inbox) {
  new_path.send(filter_guests{inbox.self()});
  inbox.receive();
  entry.send(route{new_path});
}

int main() { check_network(); }
