// One side of each race is inside a function of the C library, the other one is a plain access.
//   racy: all cases one after the other.  locked N: case N with a lock around both sides.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static char text[64] = "some words", other[64] = "other", one, *pointer, *cut = text;
static wchar_t wide[16];
static int number, array[6] = {3, 1, 2, 6, 5, 4};
static struct tm calendar;
static time_t moment;
static FILE* file;
static volatile unsigned sink;
static size_t line_size;
static char* line;
static pthread_t self;

static void write_byte(void) { text[2] = 'x'; }
static void read_byte(void) { sink = (unsigned)text[2]; }
static void read_number(void) { sink = (unsigned)number; }
static void read_calendar(void) { sink = (unsigned)calendar.tm_mday; }
static void read_end(void) { sink = pointer != NULL; }
static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

#define CALL(name, ...) \
  static void name##_call(void) { __VA_ARGS__; }

CALL(sprintf, sprintf(text, "%d", 12345))
CALL(snprintf, snprintf(text, sizeof text, "%s", "abcd"))
CALL(printf, printf("%s\n%n", text, &number))
CALL(sscanf, sscanf("17 words", "%d", &number))
CALL(sscanf_text, sscanf("17 words", "%*d %s", text))
CALL(strcpy, strcpy(text, "copied words"))
CALL(stpcpy, pointer = stpcpy(text, other))
CALL(strcat, strcat(text, "!"))
CALL(strncpy, strncpy(text, "ab", 8))
CALL(strlen, sink = (unsigned)strlen(text))
CALL(strcmp, sink = strcmp(text, "othello") > 0)
CALL(strncmp, sink = strncmp(text, "othe", 4) == 0)
CALL(memcmp, sink = memcmp(text, other, 8) == 0)
CALL(strchr, sink = strchr(text, 'w') != NULL)
CALL(strstr, sink = strstr(text, "words") != NULL)
CALL(strdup, line = strdup(text))
CALL(puts, puts(text))
CALL(fwrite, fwrite(text, 1, 8, stdout))
CALL(write, sink = write(1, text, 8) == 8)
CALL(fread, rewind(file); sink = (unsigned)fread(text, 1, 8, file))
CALL(fgets, rewind(file); sink = fgets(text, 32, file) != NULL)
CALL(getline, rewind(file); sink = getline(&line, &line_size, file) > 0)
CALL(qsort, qsort(array, 6, sizeof *array, compare))
CALL(localtime_r, localtime_r(&moment, &calendar))
CALL(strftime, sink = (unsigned)strftime(text, sizeof text, "%Y-%m-%d", &calendar))
CALL(strtol, sink = (unsigned)strtol("12x", &pointer, 10))
CALL(rand_r, sink = (unsigned)rand_r((unsigned*)&number))
CALL(wcscpy, wcscpy(wide, L"wide"))
CALL(strtok, char mine[] = "a b"; sink = strtok(mine, " ") != NULL)
CALL(localtime, time_t t = 0; sink = localtime(&t) != NULL)
CALL(getenv, sink = getenv("HOME") != NULL)
CALL(setenv, setenv("COLOUR", "red", 1))
CALL(strsep, char* c = strsep(&cut, " "); sink = c != NULL)
CALL(clock_gettime, struct timespec* t = (struct timespec*)text; clock_gettime(CLOCK_REALTIME, t))
CALL(gmtime, time_t t = 0; sink = (unsigned)gmtime(&t)->tm_year)
static void read_element(void) { sink = (unsigned)array[1]; }
static void read_wide(void) { sink = wide[1] != 0; }
static void read_line(void) { sink = line_size != 0; }
static void read_cut(void) { sink = cut != NULL; }

static const struct {
  void (*call)(void);
  void (*access)(void);
} cases[] = {
    {sprintf_call, read_byte},  {snprintf_call, read_byte},    {printf_call, write_byte},
    {sscanf_call, read_number}, {sscanf_text_call, read_byte}, {strcpy_call, read_byte},
    {stpcpy_call, read_byte},   {strcat_call, write_byte},     {strncpy_call, read_byte},
    {strlen_call, write_byte},  {strcmp_call, write_byte},     {strncmp_call, write_byte},
    {memcmp_call, write_byte},  {strchr_call, write_byte},     {strstr_call, write_byte},
    {strdup_call, write_byte},  {puts_call, write_byte},       {fwrite_call, write_byte},
    {write_call, write_byte},   {fread_call, read_byte},       {fgets_call, read_byte},
    {getline_call, read_line},  {qsort_call, read_element},    {localtime_r_call, read_calendar},
    {strftime_call, read_byte}, {strtol_call, read_end},       {rand_r_call, read_number},
    {wcscpy_call, read_wide},   {strtok_call, strtok_call},    {localtime_call, gmtime_call},
    {getenv_call, setenv_call}, {strsep_call, read_cut},       {clock_gettime_call, read_byte},
};
enum { kCases = sizeof cases / sizeof *cases };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int locked;

static void* run(void* f) {
  void (*function)(void);
  memcpy(&function, &f, sizeof function);
  if (locked) pthread_mutex_lock(&mutex);
  function();
  if (locked) pthread_mutex_unlock(&mutex);
  return NULL;
}

static void start(pthread_t* thread, void (*function)(void)) {
  void* f;
  memcpy(&f, &function, sizeof f);
  pthread_create(thread, NULL, run, f);
}

static void together(void (*a)(void), void (*b)(void)) {
  memset(text, 'a', 32);
  memcpy(text, other, 5);
  cut = text;
  pthread_t first, second;
  start(&first, a);
  start(&second, b);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
}

// The caller's handle is written by pthread_create, which may be after the thread has begun.
static void* look_at_self(void* unused) {
  sink = pthread_equal(self, pthread_self()) != 0;
  return unused;
}

int main(int count, char** words) {
  file = tmpfile();
  fputs("a line of text\n", file);
  fflush(file);
  if (count == 3) {
    locked = 1;
    together(cases[atoi(words[2])].call, cases[atoi(words[2])].access);
  } else {
    for (int i = 0; i < kCases; ++i) together(cases[i].call, cases[i].access);
    pthread_create(&self, NULL, look_at_self, NULL);
    pthread_join(self, NULL);
  }
  fclose(file);
  return 0;
}
