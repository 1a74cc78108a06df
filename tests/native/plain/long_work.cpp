// Two threads work for long on memory of their own, and meet only at the end.
#include <thread>

int sum = 0;

int work(int seed) {
  int table[64];
  for (int i = 0; i < 64; ++i) table[i] = seed + i;
  int* volatile hidden = table;
  for (int round = 0; round < 1000; ++round)
    for (int i = 1; i < 64; ++i) hidden[i] = (hidden[i] * 3 + hidden[i - 1]) % 1000;
  return table[63];
}

int main() {
  std::thread a([] { sum += work(1); });
  std::thread b([] { sum += work(2); });
  a.join();
  b.join();
}
