// Condition variables as C11 sees them. The rules are in condition.cpp.
#pragma once

#include <pthread.h>
#include <time.h>

#include "machine/native/primitives/primitive.h"

namespace mazur::native {

void initialise_condition(pthread_cond_t* condition, clockid_t clock, const void* pc);
int destroy_condition(pthread_cond_t* condition, const void* pc);
// The clock a condition variable's deadlines are told by.
clockid_t clock_of(const pthread_cond_t* condition);
// Without a deadline: waits until it is signalled.
int wait_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                   const timespec* deadline, const void* pc);
int signal_condition(pthread_cond_t* condition, const void* pc);
int broadcast_condition(pthread_cond_t* condition, const void* pc);

// The running thread's kCondSignal or kCondBroadcast wakes waiters of its object, and notes whom. A
// signal has a way for each waiter that it reaches (futex_mask).
std::uint16_t waiter_count(const Fiber& fiber);
void wake_chosen(const void* object, Label& label);
void wake_all(const void* object, Label& label);

}  // namespace mazur::native
