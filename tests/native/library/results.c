// The functions that Mazur stands in front of do what they always do, in a thread and in main.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static int through_list(char* to, size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(to, size, format, arguments);
  va_end(arguments);
  return length;
}

static void strings(void) {
  char to[64], *end;
  assert(strcpy(to, "one") == to && stpcpy(to + 3, " two") == to + 7);
  assert(strcmp(strcat(to, "!"), "one two!") == 0 && strlen(to) == 8 && strnlen(to, 3) == 3);
  assert(strcmp(strncat(to, "abcdef", 2), "one two!ab") == 0);
  strncpy(to, "xy", 5);
  assert(memcmp(to, "xy\0\0\0wo", 7) == 0);
  assert(strcasecmp("Word", "wORD") == 0 && strncasecmp("Words", "wORDy", 4) == 0);
  assert(strncmp("abcd", "abce", 3) == 0 && strcmp("a", "b") < 0);
  const char* text = "find me here";
  assert(strchr(text, 'm') == text + 5 && strrchr(text, 'e') == text + 11);
  assert(strchr(text, 'z') == NULL && strchrnul(text, 'z') == text + 12);
  assert(strstr(text, "me") == text + 5 && strcasestr(text, "ME") == text + 5);
  assert(strspn(text, "fin") == 3 && strcspn(text, " ") == 4 && strpbrk(text, "md") == text + 3);
  assert(memchr(text, 'd', 3) == NULL && memrchr(text, 'e', 12) == text + 11);
  assert(memmem(text, 12, "here", 4) == text + 8);
  char* copy = strdup(text);
  char* part = strndup(text, 4);
  assert(strcmp(copy, text) == 0 && strcmp(part, "find") == 0);
  char* rest = NULL;
  assert(strcmp(strtok_r(copy, " ", &rest), "find") == 0);
  assert(strcmp(strtok_r(NULL, " ", &rest), "me") == 0);
  char* pieces = part;
  assert(strcmp(strsep(&pieces, "n"), "fi") == 0 && strcmp(pieces, "d") == 0);
  free(copy), free(part);
  assert(mempcpy(to, "abc", 3) == to + 3 && memccpy(to, "xyz", 'y', 3) == to + 2);
  bzero(to, 2);
  assert(to[1] == 0 && to[2] == 'c');
  errno = 0;
  assert(strtol(" 42x", &end, 10) == 42 && *end == 'x' && strtoul("ff", NULL, 16) == 255);
  assert(strtod("1.5e1!", &end) == 15 && *end == '!' && atoi("-7") == -7 && errno == 0);
  assert(strtol("99999999999999999999", NULL, 10) == 0x7fffffffffffffff && errno == ERANGE);
}

static void formats(void) {
  char to[64], *made;
  int at = 0, n = 0, m = 0;
  long l = 0;
  double d = 0;
  char word[16];
  assert(sprintf(to, "%d %.2s|%5s|%n", 5, "abc", "x", &at) == 11 && at == 11);
  assert(strcmp(to, "5 ab|    x|") == 0);
  assert(snprintf(to, 4, "%s", "longer") == 6 && strcmp(to, "lon") == 0);
  assert(snprintf(NULL, 0, "%ld", 123L) == 3);
  assert(through_list(to, sizeof to, "%2$s-%1$d", 3, "three") == 7);
  assert(strcmp(to, "three-3") == 0);
  assert(snprintf(to, sizeof to, "%.*s%*d%Lg%ls%%", 2, "abcd", 3, 7, 0.5L, L"w") == 10);
  assert(strcmp(to, "ab  70.5w%") == 0);
  assert(asprintf(&made, "%c%lu", 'a', 9ul) == 2 && strcmp(made, "a9") == 0);
  free(made);
  assert(sscanf("12 ab [x] 3.5 77", "%d %s [%c] %lf %ld%n", &n, word, to, &d, &l, &m) == 5);
  assert(n == 12 && strcmp(word, "ab") == 0 && *to == 'x' && d == 3.5 && l == 77 && m == 16);
  assert(sscanf("k=v", "%*[a-z]=%ms", &made) == 1 && strcmp(made, "v") == 0);
  free(made);
  wchar_t wide[16];
  assert(swprintf(wide, 16, L"%d%s", 4, "x") == 2 && wcscmp(wide, L"4x") == 0);
  assert(wcscat(wcscpy(wide, L"ab"), L"c") == wide && wcslen(wide) == 3);
  assert(wcschr(wide, L'b') == wide + 1 && wmemcmp(wide, L"abd", 3) < 0);
}

static void files(void) {
  char to[32], *line = NULL;
  size_t size = 0;
  int a = 0;
  FILE* file = tmpfile();
  assert(fputs("first\n", file) >= 0 && fprintf(file, "%s\n", "17") == 3);
  assert(fwrite("end", 1, 3, file) == 3);
  rewind(file);
  assert(fgets(to, sizeof to, file) == to && strcmp(to, "first\n") == 0);
  assert(fscanf(file, "%d\n", &a) == 1 && a == 17);
  assert(fread(to, 1, 10, file) == 3 && memcmp(to, "end", 3) == 0);
  rewind(file);
  assert(getline(&line, &size, file) == 6 && strcmp(line, "first\n") == 0);
  assert(pread(fileno(file), to, 5, 1) == 5 && memcmp(to, "irst\n", 5) == 0);
  free(line);
  fclose(file);
}

static void others(void) {
  int array[] = {3, 1, 2}, key = 2;
  qsort(array, 3, sizeof *array, compare);
  assert(array[0] == 1 && array[2] == 3);
  assert(bsearch(&key, array, 3, sizeof *array, compare) == array + 1);
  key = 4;
  assert(bsearch(&key, array, 3, sizeof *array, compare) == NULL);
  const time_t moment = 86400;
  struct tm calendar;
  char to[64];
  assert(gmtime_r(&moment, &calendar) == &calendar && calendar.tm_mday == 2);
  assert(strftime(to, sizeof to, "%Y-%m-%d", &calendar) == 10 && strcmp(to, "1970-01-02") == 0);
  assert(timegm(&calendar) == moment && strptime("1999", "%Y", &calendar) != NULL);
  assert(calendar.tm_year == 99 && strlen(asctime_r(&calendar, to)) == 25);
  unsigned seed = 1, again = 1;
  assert(rand_r(&seed) == rand_r(&again) && seed == again && seed != 1);
  void* root = NULL;
  assert(tsearch(&key, &root, compare) != NULL && tfind(&key, &root, compare) != NULL);
  tdelete(&key, &root, compare);
}

static void* all(void* unused) {
  strings();
  formats();
  files();
  others();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, all, NULL);
  all(NULL);
  pthread_join(thread, NULL);
  const time_t moment = 0;
  char words[] = "a b";
  assert(gmtime(&moment)->tm_year == 70 && strcmp(strtok(words, " "), "a") == 0);
  assert(strcmp(strtok(NULL, " "), "b") == 0 && strtok(NULL, " ") == NULL);
  assert(strcmp(asctime(gmtime(&moment)), "Thu Jan  1 00:00:00 1970\n") == 0);
  setenv("COLOUR", "red", 1);
  assert(strcmp(getenv("COLOUR"), "red") == 0);
  return 0;
}
