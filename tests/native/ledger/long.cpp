// long [THREADS [fail]]: 2,520 executions with four threads, 113,400 with five, 8*10^10 with eight, all
// complete. It is an error if the program can see who has started it; with "fail" also if the second
// thread has come first and the first one last, which is found late.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
extern char** environ;
std::atomic<int> x{0};
int began[8];

int main(int argc, char** argv) {
  if (environ != nullptr && *environ != nullptr) abort();
  if (std::strcmp(argv[0], "long") != 0) abort();
  const int threads = argc > 1 ? std::atoi(argv[1]) : 4;
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([i] {
      began[i] = x.fetch_add(1);
      x.fetch_add(1);
    });
  for (std::thread& t : all) t.join();
  if (argc > 2 && began[1] == 0 && began[0] == 2 * threads - 2) abort();
}
