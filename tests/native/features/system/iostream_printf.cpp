// Output from threads under a mutex, by iostreams and by stdio, and string streams without one.
#include <cassert>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex m;
static int lines;

static void say(int id) {
  std::ostringstream local;
  local << "thread " << id << ' ' << 1.5 << std::hex << 255;
  assert(local.str() == "thread " + std::to_string(id) + " 1.5ff");
  std::lock_guard lock(m);
  std::cout << local.str() << std::endl;
  std::printf("line %d\n", ++lines);
}

int main() {
  std::thread t(say, 1);
  say(0);
  t.join();
  assert(lines == 2);
  char text[32];
  int n = std::snprintf(text, sizeof text, "%s-%05.1f", "x", 3.25);
  assert(n == 7 && std::string(text) == "x-003.2");
}
