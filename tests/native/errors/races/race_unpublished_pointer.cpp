// A pointer stored relaxed: its reader is not ordered after what it points to was written.
#include <atomic>
#include <thread>

struct Message {
  int length;
};

static Message message;
static std::atomic<Message*> mailbox;

int main() {
  std::thread t([] {
    message.length = 5;  // BUG-LINE
    mailbox.store(&message, std::memory_order_relaxed);
  });
  int length = 5;
  if (Message* m = mailbox.load(std::memory_order_acquire)) length = m->length;  // BUG-LINE
  t.join();
  return length == 5 ? 0 : 1;
}
