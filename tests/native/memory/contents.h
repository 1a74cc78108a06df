// What memory contains that nobody has written, as a number; then it is left different. A program
// that stores the number in an atomic variable does another event in the next execution, if
// anything survived.
#include <stddef.h>
#include <string.h>

static unsigned long contents(void* memory, size_t size) {
  const volatile unsigned char* bytes = memory;
  const size_t stride = size > 20000 ? size / 40 + 1 : 1;
  unsigned long sum = size;
  for (size_t i = 0; i < size; i += stride) sum = sum * 31 + bytes[i];
  sum = sum * 31 + bytes[size - 1];
  for (size_t i = 0; i < size; i += stride) ((volatile char*)memory)[i] = (char)(sum + i);
  ((volatile char*)memory)[size - 1] = (char)sum;
  return sum;
}
