// Two atomic instructions: a lock prefix, and an exchange with memory, which needs none.
static int word;
int add(void) { return __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST); }
int exchange(int value) { return __atomic_exchange_n(&word, value, __ATOMIC_SEQ_CST); }
