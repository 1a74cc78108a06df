// Mutexes as condition variables and C11 see them. The rules are in mutex.cpp.
#pragma once

#include <pthread.h>
#include <time.h>

#include "machine/native/primitives/primitive.h"

namespace mazur::native {

// Over glibc's pthread_mutex_t. The kind lies where the static initialisers put it.
struct Mutex {
  int holder;      // tag, or kDead (life.h); a spinlock has its holder here too
  unsigned depth;  // of a recursive mutex: how often it is locked
  unsigned unused[2];
  int kind;  // PTHREAD_MUTEX_* and attributes above it

  int type() const { return kind & 3; }
  bool mine() const { return holder == my_tag(); }
  bool is_dead() const { return holder < 0; }
  void take() {
    holder = my_tag();
    depth = 1;
  }
  void release() {
    holder = 0;
    depth = 0;
  }
};
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t));
static_assert(offsetof(Mutex, kind) == offsetof(pthread_mutex_t, __data.__kind));

inline Mutex& mutex_at(pthread_mutex_t* mutex) { return *reinterpret_cast<Mutex*>(mutex); }

void initialise_mutex(pthread_mutex_t* mutex, int kind, const void* pc);
int lock_mutex(pthread_mutex_t* mutex, const void* pc);
int try_lock_mutex(pthread_mutex_t* mutex, const void* pc);
int timed_lock_mutex(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                     const void* pc);
int unlock_mutex(pthread_mutex_t* mutex, const void* pc);
int destroy_mutex(pthread_mutex_t* mutex, const void* pc);

}  // namespace mazur::native
