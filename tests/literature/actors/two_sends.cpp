// Two sends: p sends twice to q; q receives twice, and ends if there is nothing to receive. "Source
// Sets", section 2. 3 traces: q receives 0, 1 or 2 messages.
#include <mazur/mailbox.h>

#include <chrono>

int main() {
  auto q = mazur::spawn<int>("q", [](mazur::mailbox<int>& self) {
    for (int i = 0; i < 2; i++)
      if (!self.receive(mazur::after(std::chrono::seconds(0)))) return;
  });
  q.send(1);
  q.send(2);
  q.join();
}
