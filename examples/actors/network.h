// A software-defined network: what both programs share.
//
//   guest, staff -> entry switch -> old path or new path -> server
//
// The policy: a guest's packet never reaches the server. The switch of the old path has a filter
// for it. The controller moves the traffic to the new path, whose switch has none yet, so it has to
// install the filter there and to change the route at the entry. Messages between switches travel
// over a network: only those of one sender keep their order.
#pragma once

#include <mazur/mailbox.h>

#include <cassert>
#include <string>
#include <variant>

namespace mz = mazur;

enum class host { guest, staff };
struct installed {};

struct packet {
  host from;
};
struct filter_guests {
  mz::address<installed> controller;
};
struct route;
using to_switch = std::variant<packet, filter_guests, route>;
struct route {
  mz::address<to_switch> next;
};

// What became of a packet.
struct fate {
  host from;
  bool delivered;
};

// The last switch before the server.
inline void last_switch(mz::mailbox<to_switch>& self, bool filters,
                        const mz::address<fate>& server) {
  for (;;)
    self.match(
        [&](packet p) {
          server.send({p.from, !(filters && p.from == host::guest)});
        },
        [&](filter_guests f) {
          filters = true;
          f.controller.send({});
        });
}

inline void entry_switch(mz::mailbox<to_switch>& self, mz::address<to_switch> next) {
  for (;;) self.match([&](packet p) { next.send(p); }, [&](const route& r) { next = r.next; });
}

// Moves the traffic to the new path. This is where the two programs differ.
void move_traffic(const mz::address<to_switch>& entry, const mz::address<to_switch>& new_path,
                  mz::mailbox<installed>& inbox);

inline void check_network() {
  mz::mailbox<fate> server("server");
  const auto path = [&](const std::string& name, bool filters) {
    return mz::spawn<to_switch>(
               name,
               [filters, to = server.self()](mz::mailbox<to_switch>& self) {
                 last_switch(self, filters, to);
               },
               mz::order::per_sender)
        .address();
  };
  const auto old_path = path("old path", true);
  const auto new_path = path("new path", false);
  const auto entry = mz::spawn<to_switch>("entry", [old_path](mz::mailbox<to_switch>& self) {
                       entry_switch(self, old_path);
                     }).address();
  mz::spawn("controller", [entry, new_path] {
    mz::mailbox<installed> inbox("controller");
    move_traffic(entry, new_path, inbox);
  });
  mz::spawn("guest", [entry] { entry.send(packet{host::guest}); });
  mz::spawn("staff", [entry] { entry.send(packet{host::staff}); });
  for (int packets = 0; packets < 2; ++packets) {
    const fate f = server.receive();
    assert(f.delivered == (f.from == host::staff));
  }
}
