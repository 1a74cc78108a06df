// A data race: the receiver takes the first message that comes for the one that hands the data
// over.
#include <mazur/mailbox.h>

int data = 0;

int main() {
  mazur::mailbox<int> inbox("main");
  auto writer = mazur::spawn("writer", [to = inbox.self()] {
    data = 1;
    to.send(1);
  });
  auto other = mazur::spawn("other", [to = inbox.self()] { to.send(2); });
  inbox.receive();
  const int seen = data;
  writer.join();
  other.join();
  return seen < 0;
}
