/* What mailbox.h and table.h say to Mazur's runtime. Programs do not use this directly.
 *
 * The queue of a mailbox is a list in the program's own memory. Under Mazur only the runtime
 * touches it, in the one event that a send or a receive is; without Mazur channel.h does, under a
 * mutex. */
#ifndef MAZUR_MESSAGE_HOOKS_H
#define MAZUR_MESSAGE_HOOKS_H

extern "C" {

struct mazur_message {
  mazur_message* next;
  unsigned long long id;  // the runtime's name for it
  unsigned alternative;   // which type of a variant; 0 if there is one
};

struct mazur_mailbox {
  mazur_message* first;  // oldest
  mazur_message* last;
  mazur_message* dropped;  // under Mazur: counted and not looked at
  mazur_mailbox* next;     // in the list of all, which is kept under Mazur
  unsigned owner;          // under Mazur: the thread that receives from it, + 1; 0: not known yet
};

// Whether a message is one that the receive waits for.
typedef bool mazur_accepts(void* context, const mazur_message* message);

struct mazur_receive {
  unsigned long long alternatives;  // a bit for each that is accepted
  mazur_accepts* accepts;           // null: every message of these alternatives
  void* context;
  long long after;  // nanoseconds until it gives up; negative: never
  // If not 0, messages are only counted: so many of them, this one and those right after it.
  unsigned counted;
};

// Writes the name of an alternative for reports.
typedef void mazur_show_alternative(unsigned alternative, char* out, unsigned size);

// Weak symbols: without Mazur they are null. A new mailbox joins the list of all mailboxes. A
// mailbox of a variant has several alternatives.
void mazur_runtime_mailbox(mazur_mailbox* mailbox, mazur_mailbox** all, const char* name,
                           unsigned alternatives, mazur_show_alternative* show)
    __attribute__((weak));
void mazur_runtime_send(mazur_mailbox* mailbox, mazur_message* message) __attribute__((weak));
// Returns the message, or null if it timed out. If the message is only counted, the mailbox keeps
// it and null is returned.
mazur_message* mazur_runtime_receive(mazur_mailbox* mailbox, const mazur_receive* receive)
    __attribute__((weak));

// An operation on one key of a table. What the program does between the two calls is the operation:
// nothing switches there, and no access is looked at. Values are numbers: 0 means that there is no
// entry, and different entries have different numbers.
enum mazur_table_operation {
  MAZUR_TABLE_LOOKUP,
  MAZUR_TABLE_INSERT,  // and erase: writes whatever was there
  MAZUR_TABLE_INSERT_NEW,
  MAZUR_TABLE_TAKE
};
// Writes "table[key]" for reports.
typedef void mazur_show_key(const void* table, const void* key, char* out, unsigned size);
// Returns an even number that no other operation gets.
unsigned long long mazur_runtime_table_begin(const void* table, const void* key,
                                             unsigned long long hash,
                                             mazur_table_operation operation, mazur_show_key* show)
    __attribute__((weak));
void mazur_runtime_table_end(unsigned long long before, unsigned long long after)
    __attribute__((weak));

}  // extern "C"

#endif  // MAZUR_MESSAGE_HOOKS_H
