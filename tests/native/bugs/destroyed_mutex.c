/* The table is taken down when its last entry is gone, but the thread that removed it still holds
 * the table's mutex. */
#include <pthread.h>
#include <stdatomic.h>

struct table {
  pthread_mutex_t mutex;
  atomic_int entries;
};

static struct table table;

static void* remove_entry(void* unused) {
  (void)unused;
  pthread_mutex_lock(&table.mutex);
  atomic_fetch_sub(&table.entries, 1);
  pthread_mutex_unlock(&table.mutex);
  return 0;
}

int main(void) {
  pthread_t remover;
  pthread_mutex_init(&table.mutex, 0);
  atomic_store(&table.entries, 1);
  pthread_create(&remover, 0, remove_entry, 0);
#ifdef FIXED
  pthread_join(remover, 0);
  pthread_mutex_destroy(&table.mutex);
#else
  if (atomic_load(&table.entries) == 0) pthread_mutex_destroy(&table.mutex);
  pthread_join(remover, 0);
#endif
  return 0;
}
