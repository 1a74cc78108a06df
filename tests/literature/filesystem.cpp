// filesystem(N): thread t gives inode t a free block, looking from block 2t on. Flanagan and
// Godefroid's example. Threads meet only from the 14th on: 1 trace up to N=13, then 2^(N-13).
#include <mutex>
#include <thread>

#ifndef N
#define N 14
#endif

constexpr int kInodes = 32;
constexpr int kBlocks = 26;

std::mutex inode_lock[kInodes];
int inode[kInodes];
std::mutex block_lock[kBlocks];
bool busy[kBlocks];

static void allocate(int t) {
  int i = t % kInodes;
  std::lock_guard holds_inode(inode_lock[i]);
  if (inode[i] != 0) return;
  for (int b = (i * 2) % kBlocks;; b = (b + 1) % kBlocks) {
    std::lock_guard holds_block(block_lock[b]);
    if (!busy[b]) {
      busy[b] = true;
      inode[i] = b + 1;
      return;
    }
  }
}

int main() {
  std::thread thread[N];
  for (int t = 0; t < N; t++) thread[t] = std::thread(allocate, t);
  for (std::thread& t : thread) t.join();
}
