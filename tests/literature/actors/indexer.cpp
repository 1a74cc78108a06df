// indexer(N) over a table: N processes put 4 entries each into one hash table, whose places are
// keys; insert_new stands for compare-and-swap. "Source Sets", section 10. 1 trace up to 11
// processes, then 8^(N-11).
#include <mazur/mailbox.h>
#include <mazur/table.h>

#ifndef N
#define N 12
#endif

constexpr int kPlaces = 128;
constexpr int kEntries = 4;
mazur::table<int, int> places("places");

void index(int id) {
  for (int m = 1; m <= kEntries; m++) {
    const int w = m * 11 + id;
    int h = (w * 7) % kPlaces;
    while (!places.insert_new(h, w)) h = (h + 1) % kPlaces;
  }
}

int main() {
  mazur::process<void> process[N];
  for (int id = 0; id < N; id++) process[id] = mazur::spawn("indexer", [id] { index(id); });
  for (auto& p : process) p.join();
}
