// Mailboxes: send and receive of include/mazur/mailbox.h.
//
// send.    Enabled: always. Does: the message becomes the last of the mailbox. Depends on: other
//          sends to the mailbox, the receive of this message, a receive that gave up and would have
//          taken it. Reversible: with the receive of the message only if that can give up.
// receive. Enabled: when a message that it accepts is there; one with a time limit always. Does:
//          takes the oldest such message, else times out. Depends on: the send of what it took; if
//          it gave up, every send that it would have accepted. Reversible: see send.
//
// The queue is a list in the program's memory, so the snapshot restores it and a search for leaks
// finds what was not received. A message is named by its sender and how many that has sent before.
#include "machine/native/primitives/mailbox.h"

#include <mazur/message_hooks.h>

#include "machine/native/engine/per_execution.h"
#include "machine/native/primitives/primitive.h"
#include "machine/native/system/clock.h"

extern "C" void mazur_runtime_name_object(const void* object, const char* name);

namespace mazur::native {

bool asking_predicate = false;

namespace {

std::uint32_t sent[kMaxThreads];  // messages, so far

// What a receive has found out about its mailbox. A message that was looked at once is not looked
// at again: nobody but the receiver takes messages, so those before it stay.
struct Search {
  mazur_mailbox* mailbox = nullptr;
  const mazur_receive* wanted = nullptr;
  mazur_message* before = nullptr;  // the last one that was refused
  mazur_message* found = nullptr;
};
Search searches[kMaxThreads];

const PerExecution reset_mailboxes([] {
  for (ThreadId id = 0; id < known_threads(); ++id) sent[id] = 0;
});

bool accepts(const mazur_receive& wanted, const mazur_message& message) {
  if ((wanted.alternatives >> message.alternative & 1) == 0) return false;
  if (wanted.accepts == nullptr) return true;
  asking_predicate = true;
  const bool yes = wanted.accepts(wanted.context, &message);
  asking_predicate = false;
  return yes;
}

void look(Search& search) {
  while (search.found == nullptr) {
    mazur_message* next = search.before == nullptr ? search.mailbox->first : search.before->next;
    if (next == nullptr) return;
    if (accepts(*search.wanted, *next))
      search.found = next;
    else
      search.before = next;
  }
}

// Asked in the scheduler context, where the hooks in the program's predicate do nothing.
bool has_arrived(const Fiber& fiber) {
  Search& search = searches[fiber.id];
  look(search);
  return search.found != nullptr || search.wanted->after >= 0;
}

void append(mazur_message*& first, mazur_message*& last, mazur_message* message) {
  message->next = nullptr;
  (first == nullptr ? first : last->next) = message;
  last = message;
}

void remove(const Search& search) {
  mazur_mailbox& mailbox = *search.mailbox;
  (search.before == nullptr ? mailbox.first : search.before->next) = search.found->next;
  if (mailbox.last == search.found) mailbox.last = search.before;
}

}  // namespace
}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT void mazur_runtime_mailbox(mazur_mailbox* mailbox, mazur_mailbox** all,
                                        const char* name, unsigned alternatives,
                                        mazur_show_alternative* show) {
  mailbox->next = *all;
  *all = mailbox;
  mazur_runtime_name_object(mailbox, name[0] != 0 ? name : "mailbox");
  if (in_execution() && !runtime.capture_stacks) return;
  for (unsigned i = 0; i < alternatives; ++i) {
    char text[64];
    show(i, text, sizeof text);
    const ObjectId known_by = alternative_name(object_of(mailbox), i);
    mazur_runtime_name_object(reinterpret_cast<const void*>(known_by), text);
  }
}

MAZUR_EXPORT void mazur_runtime_send(mazur_mailbox* mailbox, mazur_message* message) {
  const ThreadId me = current_thread();
  message->id = message_id(me, sent[me]);
  visible({.kind = OpKind::kSend,
           .object = object_of(mailbox),
           .object2 = message->alternative,
           .value = message->id},
          MAZUR_CALLER);
  ++sent[me];
  note_change();
  append(mailbox->first, mailbox->last, message);
}

MAZUR_EXPORT mazur_message* mazur_runtime_receive(mazur_mailbox* mailbox,
                                                  const mazur_receive* receive) {
  // The order of the sends determines what a receive takes only if nobody else takes messages.
  const unsigned me = current_thread() + 1u;
  if (mailbox->owner == 0) mailbox->owner = me;
  if (mailbox->owner != me)
    unsupported("a second thread that receives from a mailbox", MAZUR_CALLER);
  Search& search = searches[current_thread()];
  search = {.mailbox = mailbox, .wanted = receive};
  Label& label = visible({.kind = OpKind::kReceive,
                          .timed = receive->after >= 0,
                          .size = receive->counted != 0         ? 0u
                                  : receive->accepts != nullptr ? 2u
                                                                : 1u,
                          .object = object_of(mailbox),
                          .object2 = receive->counted != 0 ? receive->counted - 1 : 0,
                          .value = receive->alternatives},
                         MAZUR_CALLER, {.enabled = has_arrived});
  if (!in_execution()) look(search);
  note_change();
  mazur_message* message = search.found;
  label.success = message != nullptr;
  if (message == nullptr) {
    if (receive->after < 0)
      fail(FailureKind::kDeadlock, "a message is waited for before main, and nobody can send it");
    let_pass(receive->after);
    return nullptr;
  }
  label.read = message->id;
  remove(search);
  if (receive->counted == 0) return message;
  message->next = mailbox->dropped;
  mailbox->dropped = message;
  return nullptr;
}
