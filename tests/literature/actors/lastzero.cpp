// lastzero(N) over a table: process 0 looks for the highest index that still holds zero while
// process j in 1..N sets entry j to entry j-1 plus one. "Source Sets", Fig. 11 and section 10.
// (N+3) * 2^(N-2) traces.
#include <mazur/mailbox.h>
#include <mazur/table.h>

#ifndef N
#define N 5
#endif

mazur::table<int, int> array("array");  // no entry is zero

int at(int i) { return array.lookup(i).value_or(0); }

int main() {
  mazur::process<void> process[N + 1];
  process[0] = mazur::spawn("search", [] {
    for (int i = N; at(i) != 0; i--) {
    }
  });
  for (int j = 1; j <= N; j++)
    process[j] = mazur::spawn("increase", [j] { array.insert(j, at(j - 1) + 1); });
  for (auto& p : process) p.join();
}
