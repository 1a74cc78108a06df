// Reading an ordinary file by system calls, stdio and streams: the program's own binary, or the
// file named as its first argument.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

static char global[4096];

static void read_by_system_call(const char* name, char* into) {
  int fd = open(name, O_RDONLY);
  assert(fd >= 0);
  struct stat status;
  assert(fstat(fd, &status) == 0 && status.st_size > 0);
  ssize_t n = read(fd, into, 16);
  assert(n > 0);
  assert(lseek(fd, 0, SEEK_SET) == 0);
  assert(close(fd) == 0);
}

int main(int, char** argv) {
  const char* name = argv[1] ? argv[1] : argv[0];
  char local[16] = {};
  std::thread t(read_by_system_call, name, global + 2000);
  read_by_system_call(name, local);
  t.join();
  assert(std::memcmp(global + 2000, local, sizeof local) == 0);

  std::FILE* file = std::fopen(name, "rb");
  assert(file);
  char by_stdio[16] = {};
  assert(std::fread(by_stdio, 1, 1, file) == 1);
  assert(std::fclose(file) == 0);
  assert(by_stdio[0] == local[0]);
  std::ifstream stream(name, std::ios::binary);
  char by_stream = 0;
  assert(stream.get(by_stream));
  assert(by_stream == local[0]);
  assert(open("no such file here", O_RDONLY) == -1);
}
