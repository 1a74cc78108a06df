// Variables that nobody has initialised, the deeper in a stack the more often the threads took
// turns. With --races=explore they show the same in every execution, whatever those before have
// left there.
#include <atomic>
#include <thread>

std::atomic<int> count, other;

__attribute__((noinline, no_sanitize("thread"))) static void leave_garbage(int value) {
  volatile int room[3000];
  for (int i = 0; i < 3000; i++) room[i] = value;
}

__attribute__((noinline)) static int look(int depth) {
  int room[400];
  int* volatile p = room;
  return depth == 0 ? p[3] : p[3] + look(depth - 1);
}

int main() {
  std::thread looker([] {
    int turns = 0;
    for (int i = 1; i <= 5; i++) turns += count == i;
    int sum = look(turns);
    sum += other;
    leave_garbage(sum + 77);
  });
  std::thread writer([] {
    for (int i = 1; i <= 5; i++) count = i;
  });
  std::thread last([] { other = 1; });
  looker.join();
  writer.join();
  last.join();
}
