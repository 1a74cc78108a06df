// Makes every atomic operation of a program relaxed: -include it before the program's own headers.
#ifdef __cplusplus
#include <atomic>
#include <thread>
// A test's own words: the macros would meet these names in later headers as well.
#define load() load(std::memory_order_relaxed)
#define store(value) store(value, std::memory_order_relaxed)
#else
#include <stdatomic.h>
#undef atomic_load
#undef atomic_store
#define atomic_load(object) atomic_load_explicit(object, memory_order_relaxed)
#define atomic_store(object, value) atomic_store_explicit(object, value, memory_order_relaxed)
#endif
