// 113,400 executions, all complete. It is an error if the program can see who has started it. With an argument it
// is one, too, if the last thread has come first and the first one last.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>
extern char** environ;
std::atomic<int> x{0};
int began[5];

int main(int argc, char** argv) {
  if (environ != nullptr && *environ != nullptr) abort();
  if (std::strcmp(argv[0], "long") != 0) abort();
  std::vector<std::thread> all;
  for (int i = 0; i < 5; ++i)
    all.emplace_back([i] {
      began[i] = x.fetch_add(1);
      x.fetch_add(1);
    });
  for (std::thread& t : all) t.join();
  if (argc > 1 && began[4] == 0 && began[0] == 8) abort();
}
