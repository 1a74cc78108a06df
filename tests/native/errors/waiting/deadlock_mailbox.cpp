// Deadlock: a client waits for an answer that the server, which waits for another message first,
// never sends.
#include <mazur/mailbox.h>

#include <variant>

struct question {
  mazur::address<int> who;
};
struct permission {};
using request = std::variant<question, permission>;

int main() {
  auto server = mazur::spawn<request>("server", [](mazur::mailbox<request>& self) {
    self.receive<permission>();
    self.receive<question>().who.send(42);
  });
  mazur::mailbox<int> inbox("client");
  server.send(question{inbox.self()});
  return inbox.receive() == 42 ? 0 : 1;
}
