// Two-phase commit with participants that crash and messages that come too late: what both
// programs share, the one with the mistake and the one without.
//
// The coordinator asks every participant to prepare and collects votes for a while. If all vote
// yes in time it decides to commit, else to abort, and tells everybody. A participant that has
// voted yes is bound: it must wait for the decision, however long. One that votes no, or crashes
// before it votes, has aborted on its own.
//
// Property: nobody commits while another aborts.
#pragma once

#include <mazur/mailbox.h>

#include <cassert>
#include <chrono>
#include <stdexcept>
#include <variant>
#include <vector>

#ifndef N
#define N 3
#endif

namespace mz = mazur;
using namespace std::chrono_literals;

struct vote {
  int from;
  bool yes;
};
using answer = std::variant<vote, mz::down>;

struct prepare {
  mz::address<answer> coordinator;
};
enum class decision { commit, abort };
using order_to_participant = std::variant<prepare, decision>;

enum class outcome { undecided, committed, aborted };

// What became of the transaction at each participant: each writes its own, main reads them all.
struct participant_state {
  outcome is = outcome::undecided;
};

inline outcome as_outcome(decision d) {
  return d == decision::commit ? outcome::committed : outcome::aborted;
}

// Waits for the decision. The bound participant's function is where the two programs differ.
outcome bound(mz::mailbox<order_to_participant>& self);

inline void participant(int id, participant_state& state, mz::mailbox<order_to_participant>& self) {
  const prepare p = self.receive<prepare>();
  if (id == N - 1 && mazur_choose(2) == 1) {  // one of them may crash before it votes
    state.is = outcome::aborted;
    throw std::runtime_error("crashed");
  }
  p.coordinator.send(vote{id, true});
  state.is = bound(self);
}

inline decision collect(mz::mailbox<answer>& inbox) {
  for (int votes = 0; votes < N;) {
    bool yes = false;
    const auto got = inbox.receive(mz::after(100ms));
    if (!got) return decision::abort;  // too late
    if (const vote* v = std::get_if<vote>(&*got)) yes = v->yes;
    if (!yes) return decision::abort;
    ++votes;
  }
  return decision::commit;
}

inline void check_two_phase_commit() {
  mz::mailbox<answer> inbox("coordinator");
  participant_state states[N];
  std::vector<mz::process<order_to_participant>> participants;
  for (int id = 0; id < N; ++id)
    participants.push_back(mz::spawn<order_to_participant>(
        "participant " + std::to_string(id),
        [id, &states](mz::mailbox<order_to_participant>& self) {
          participant(id, states[id], self);
        },
        mz::watched_by(inbox.self())));
  for (auto& p : participants) p.send(prepare{inbox.self()});
  const decision d = collect(inbox);
  for (auto& p : participants) p.send(d);
  for (auto& p : participants) p.join();
  bool committed = false, aborted = false;
  for (const participant_state& s : states) {
    assert(s.is != outcome::undecided);
    committed |= s.is == outcome::committed;
    aborted |= s.is == outcome::aborted;
  }
  assert(!(committed && aborted));
}
