// A mailbox from which two threads receive.
#include <mazur/mailbox.h>

int main() {
  mazur::mailbox<int> inbox("inbox");
  inbox.self().send(1);
  inbox.self().send(2);
  inbox.receive();
  auto thief = mazur::spawn("thief", [&] { inbox.receive(); });
  thief.join();
}
