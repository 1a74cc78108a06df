// readers(N) over a table: a process writes the entry k, N others look up one of their own and then
// k. "Source Sets", Fig. 13. 2^N traces: every reader finds k before or after it is written.
#include <mazur/mailbox.h>
#include <mazur/table.h>

#ifndef N
#define N 8
#endif

constexpr int k = 0;
mazur::table<int, int> tab("tab");

int main() {
  mazur::process<void> reader[N];
  auto writer = mazur::spawn("writer", [] { tab.insert(k, 42); });
  for (int i = 0; i < N; i++)
    reader[i] = mazur::spawn("reader", [i] {
      tab.lookup(i + 1);
      tab.lookup(k);
    });
  writer.join();
  for (auto& r : reader) r.join();
}
