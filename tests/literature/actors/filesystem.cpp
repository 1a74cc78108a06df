// filesystem(N) with processes for locks: process t gives inode t a free block, looking from block
// 2t on. "Source Sets", section 10. 1 trace up to N=13, then 2^(N-13), as with mutexes.
//
// A lock is a process with two mailboxes, so that requests do not meet releases: in one mailbox a
// release would be ordered with every request that waits there. With -DONE_MAILBOX that is so: each
// meeting then has 4 orders instead of 2, and there are 4^(N-13) traces.
#include <mazur/mailbox.h>

#include <cstddef>
#include <memory>
#include <variant>
#include <vector>

#ifndef N
#define N 14
#endif

namespace mz = mazur;

struct granted {};
struct acquire {
  mz::address<granted> who;
};
struct release {};

#ifdef ONE_MAILBOX
using request = std::variant<acquire, release>;
struct lock {
  mz::mailbox<request> inbox;
  void serve() {
    for (;;) {
      inbox.receive<acquire>().who.send({});
      inbox.receive<release>();
    }
  }
  void send(request r) { inbox.self().send(r); }
};
#else
struct lock {
  mz::mailbox<acquire> acquires;
  mz::mailbox<release> releases;
  void serve() {
    for (;;) {
      acquires.receive().who.send({});
      releases.receive();
    }
  }
  void send(acquire a) { acquires.self().send(a); }
  void send(release r) { releases.self().send(r); }
};
#endif

class holder {
 public:
  holder(lock& l, mz::mailbox<granted>& inbox) : lock_(l) {
    lock_.send(acquire{inbox.self()});
    inbox.receive();
  }
  ~holder() { lock_.send(release{}); }

 private:
  lock& lock_;
};

constexpr int kInodes = 32;
constexpr int kBlocks = 26;
// Locks outlive main: their processes never end.
lock* const inode_lock = new lock[kInodes];
lock* const block_lock = new lock[kBlocks];
int inode[kInodes];
bool busy[kBlocks];

void allocate(int t) {
  mz::mailbox<granted> inbox;
  const int i = t % kInodes;
  holder holds_inode(inode_lock[i], inbox);
  if (inode[i] != 0) return;
  for (int b = (i * 2) % kBlocks;; b = (b + 1) % kBlocks) {
    holder holds_block(block_lock[b], inbox);
    if (!busy[b]) {
      busy[b] = true;
      inode[i] = b + 1;
      return;
    }
  }
}

int main() {
  for (int i = 0; i < kInodes; i++) mz::spawn("inode lock", [i] { inode_lock[i].serve(); });
  for (int b = 0; b < kBlocks; b++) mz::spawn("block lock", [b] { block_lock[b].serve(); });
  mz::process<void> process[N];
  for (int t = 0; t < N; t++) process[t] = mz::spawn("process", [t] { allocate(t); });
  for (auto& p : process) p.join();
}
