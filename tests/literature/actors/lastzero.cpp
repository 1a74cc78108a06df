// lastzero(N) over a table: process 0 looks for the highest index that still holds zero while
// process j in 1..N sets entry j to entry j-1 plus one. "Source Sets", Fig. 11 and section 10.
// (N+3) * 2^(N-2) traces. BY_NAME: as in ../lastzero.c.
#include <mazur/mailbox.h>
#include <mazur/table.h>

#include <algorithm>
#include <string>
#include <thread>

#ifndef N
#define N 5
#endif
#ifdef BY_NAME
constexpr bool kByName = true;
#else
constexpr bool kByName = false;
#endif

mazur::table<int, int> array("array");  // no entry is zero

int at(int i) { return array.lookup(i).value_or(0); }

void begin() {
  if (kByName) std::this_thread::yield();
}

void search() {
  begin();
  for (int i = N; at(i) != 0; i--) {
  }
}

void increase(int j) {
  begin();
  array.insert(j, at(j - 1) + 1);
}

int main() {
  int order[N + 1];
  for (int j = 0; j <= N; j++) order[j] = j;
  const auto name_before = [](int a, int b) {
    return std::to_string(a + 1) < std::to_string(b + 1);
  };
  if (kByName) std::sort(order, order + N + 1, name_before);
  mazur::process<void> process[N + 1];
  for (int k = 0; k <= N; k++) {
    const int j = order[k];
    process[k] =
        j == 0 ? mazur::spawn("search", search) : mazur::spawn("increase", [j] { increase(j); });
  }
  for (auto& p : process) p.join();
}
