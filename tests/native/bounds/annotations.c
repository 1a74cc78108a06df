/* What include/mazur/mazur.h has, from C. BROKEN: an observed assertion fails. */
#include <mazur/mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int seen;
static unsigned char small = 255;

static void* write_it(void* unused) {
  (void)unused;
  mazur_name_thread("writer");
  atomic_store(&seen, 1);
#ifdef BROKEN
  atomic_store(&seen, 3);
#endif
  return 0;
}

int main(void) {
  pthread_t writer;
  mazur_name_object(&seen, "the seen one");
  pthread_create(&writer, 0, write_it, 0);
  mazur_yield();
  mazur_observe(seen, <, 3);
  mazur_observe(small, ==, 255);
  pthread_join(writer, 0);
  long long n = mazur_nondet(-4, 4);
  mazur_assert(n >= -4 && n <= 4);
  return mazur_is_checking() ? 0 : n != -4;
}
