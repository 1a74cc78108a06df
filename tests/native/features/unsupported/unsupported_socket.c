// socket: outside what is controlled.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_int x;

static void* run(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd >= 0) close(fd);
  pthread_join(t, 0);
  return 0;
}
