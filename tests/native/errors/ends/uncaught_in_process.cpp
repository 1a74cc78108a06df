// An exception leaves a process that nobody watches, if it is asked too early.
#include <mazur/mailbox.h>

#include <stdexcept>

int main() {
  auto process = mazur::spawn<int>("process", [](mazur::mailbox<int>& self) {
    if (self.receive() == 0) throw std::runtime_error("too early");
  });
  auto early = mazur::spawn("early", [to = process.address()] { to.send(0); });
  process.send(1);
  process.join();
  early.join();
}
