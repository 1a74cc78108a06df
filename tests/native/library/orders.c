// With --races=explore: what only one order of a library call and another thread's accesses gives.
// Each case has an assertion that some order breaks.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[32] = "old", one[] = "a b c", two[] = "x y z";
static int from, to = 5, seen, length, first, second, array[4] = {4, 3, 2, 1};
static unsigned seed = 1;
static char* piece;

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void sprintf_a(void) { sprintf(text, "%d", 12345); }
static void sprintf_b(void) { assert(text[0] == 'o'); }
static void sprintf_end(void) {}

// The copy has read before it writes: it can bring an old value after a new one was seen to come.
static void memcpy_a(void) { memcpy(&to, &from, sizeof to); }
static void memcpy_b(void) {
  from = 1;
  seen = to;
}
static void memcpy_end(void) { assert(!(seen == 5 && to == 0)); }

static void strlen_a(void) { length = (int)strlen(text); }
static void strlen_b(void) {
  text[1] = 0;
  strcpy(text, "long enough for two");
  text[12] = 0;
}
static void strlen_end(void) { assert(length != 19); }

// Both find the same end, and one overwrites the other.
static void strcat_a(void) { strcat(text, "b"); }
static void strcat_b(void) { strcat(text, "c"); }
static void strcat_end(void) { assert(strlen(text) == 5); }

static void rand_r_a(void) { first = rand_r(&seed); }
static void rand_r_b(void) { second = rand_r(&seed); }
static void rand_r_end(void) { assert(first != second); }

static void strtok_a(void) { strtok(one, " "), strtok(NULL, " "); }
static void strtok_b(void) { strtok(two, " "), piece = strtok(NULL, " "); }
static void strtok_end(void) { assert(piece != NULL && *piece == 'y'); }

static void setenv_a(void) { setenv("COLOUR", "red", 1); }
static void setenv_b(void) { setenv("COLOUR", "blue", 1); }
static void setenv_end(void) { assert(getenv("COLOUR")[0] == 'r'); }

static void qsort_a(void) { qsort(array, 4, sizeof *array, compare); }
static void qsort_b(void) { seen = array[0]; }
static void qsort_end(void) { assert(seen != 1); }

static const struct {
  void (*a)(void);
  void (*b)(void);
  void (*end)(void);
} cases[] = {{sprintf_a, sprintf_b, sprintf_end}, {memcpy_a, memcpy_b, memcpy_end},
             {strlen_a, strlen_b, strlen_end},    {strcat_a, strcat_b, strcat_end},
             {rand_r_a, rand_r_b, rand_r_end},    {strtok_a, strtok_b, strtok_end},
             {setenv_a, setenv_b, setenv_end},    {qsort_a, qsort_b, qsort_end}};

static void (*other)(void);
static void* run(void* unused) {
  other();
  return unused;
}

int main(int count, char** words) {
  const int n = count > 1 ? atoi(words[1]) : 0;
  other = cases[n].a;
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  cases[n].b();
  pthread_join(thread, NULL);
  cases[n].end();
  return 0;
}
