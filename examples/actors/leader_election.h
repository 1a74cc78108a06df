// Leader election in a ring, after Chang and Roberts: what both programs share.
//
// Every node knows its number and the next node. A node that is told to start sends its number
// round the ring, unless it has passed on a greater one already. A node passes on numbers that are
// greater than its own and swallows smaller ones, in whose place it sends its own if it has not
// started. It is the leader when its own number comes back, and announces that round the ring.
//
// Property: exactly one leader, everybody knows which, and it has the greatest number.
#pragma once

#include <mazur/mailbox.h>

#include <cassert>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#ifndef N
#define N 3
#endif

namespace mz = mazur;

struct start {};
struct candidate {
  int number;
};
struct leader {
  int number;
};
using token = std::variant<start, candidate, leader>;

struct report {
  int leader;
  bool elected;  // the node is it
};

// What a node does with another's number that is smaller, if it has not started yet: this is where
// the two programs differ.
bool relays(int own, int smaller);

inline void node(int number, mz::address<token> next, mz::address<report> out,
                 mz::mailbox<token>& self) {
  bool started = false;
  const auto begin = [&] {
    if (!started) next.send(candidate{number});
    started = true;
  };
  int known = -1;
  while (known < 0) {
    self.match([&](start) { begin(); },
               [&](candidate c) {
                 if (c.number == number) {
                   next.send(leader{number});
                 } else if (c.number > number) {
                   started = true;  // no need to any more
                   next.send(c);
                 } else if (!started && relays(number, c.number)) {
                   next.send(c);
                 } else {
                   begin();
                 }
               },
               [&](leader l) {
                 known = l.number;
                 if (l.number != number) next.send(l);
               });
  }
  out.send({known, known == number});
}

// Numbers round the ring: falling, so that each one is swallowed somewhere else.
inline int number_at(int place) { return (place * (N - 1) + 1) % N; }

inline void check_election() {
  mz::mailbox<report> inbox("main");
  // The ring exists before its nodes: each one's mailbox is made first.
  std::vector<std::unique_ptr<mz::mailbox<token>>> ring;
  for (int i = 0; i < N; ++i)
    ring.push_back(std::make_unique<mz::mailbox<token>>("node " + std::to_string(number_at(i))));
  for (int i = 0; i < N; ++i)
    mz::spawn("node " + std::to_string(number_at(i)),
              [number = number_at(i), next = ring[(i + 1) % N]->self(), out = inbox.self(),
               &self = *ring[i]] { node(number, next, out, self); });
  for (auto& place : ring) place->self().send(start{});
  int elected = 0;
  for (int i = 0; i < N; ++i) {
    const report r = inbox.receive();
    assert(r.leader == N - 1);
    elected += r.elected;
  }
  assert(elected == 1);
}
