// What is checked of a lock: its critical sections exclude each other, and what they write is seen
// by the next.
#pragma once

#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef THREADS
#define THREADS 2
#endif

inline int inside = 0;  // plain: a lock that does not synchronise is a data race
inline int entered = 0;

inline void critical_section() {
  ++inside;
  assert(inside == 1);
  ++entered;
  --inside;
}

template <typename Body>
void run_threads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < THREADS; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
  assert(entered == THREADS);
}
