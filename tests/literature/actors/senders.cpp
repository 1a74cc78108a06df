// N senders, one receiver. N! traces, because the receiver sees in which order they came. With
// -DCOUNT it only counts them: the same number for `optimal`, and 1 for `observers`. With -DPAIRS
// each sender has a receiver of its own: 1 trace.
#include <mazur/mailbox.h>

#ifndef N
#define N 3
#endif

int main() {
#ifdef PAIRS
  mazur::process<void> sender[N];
  mazur::process<int> receiver[N];
  for (int i = 0; i < N; i++) {
    receiver[i] = mazur::spawn<int>("receiver", [](mazur::mailbox<int>& self) { self.receive(); });
    sender[i] = mazur::spawn("sender", [to = receiver[i].address(), i] { to.send(i); });
  }
  for (auto& p : sender) p.join();
  for (auto& p : receiver) p.join();
#else
  mazur::mailbox<int> q("q");
  for (int i = 0; i < N; i++) mazur::spawn("sender", [to = q.self(), i] { to.send(i); });
#ifdef COUNT
  q.discard(N);
#else
  for (int i = 0; i < N; i++) q.receive();
#endif
#endif
}
