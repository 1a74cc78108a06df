// What one execution leaves behind in the program and its libraries the next must not see.
#include <cassert>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <locale>
#include <thread>

static int global;
static int initialised = 5;
static int* kept;

static int& local_static() {
  static int value = 1;
  return value;
}

thread_local int own = 2;

int main() {
  assert(global == 0 && initialised == 5 && kept == nullptr && local_static() == 1 && own == 2);
  assert(errno == 0);
  assert(std::cout.width() == 0 && std::cout.precision() == 6);
  static char words[] = "one two";
  assert(std::strcmp(std::strtok(words, " "), "one") == 0);
  std::thread t([] { global++; });
  t.join();
  initialised++;
  kept = new int(3);
  local_static()++;
  own++;
  errno = EINVAL;
  std::cout.width(20);
  std::cout.precision(3);
  std::cout.setstate(std::ios::failbit);
  delete kept;
}
