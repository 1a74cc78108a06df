// include/mazur/mailbox.h and table.h: what holds in every schedule.
#include <mazur/mailbox.h>
#include <mazur/table.h>

#include <cassert>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace mz = mazur;
using namespace std::chrono_literals;

struct ping {
  mz::address<int> answer_to;
  int number;
};

void ping_pong() {
  mz::mailbox<int> inbox("main");
  auto pong = mz::spawn<ping>("pong", [](mz::mailbox<ping>& self) {
    for (int i = 0; i < 3; ++i) {
      ping p = self.receive();
      p.answer_to.send(p.number + 1);
    }
  });
  for (int n = 0; n < 3; ++n) {
    pong.send({inbox.self(), n});
    assert(inbox.receive() == n + 1);
  }
  pong.join();
}

// Messages are moved, and kept in the order in which one sender sent them.
void order_of_one_sender() {
  mz::mailbox<std::unique_ptr<int>> inbox;
  auto sender = mz::spawn("sender", [to = inbox.self()] {
    for (int i = 0; i < 3; ++i) to.send(std::make_unique<int>(i));
  });
  for (int i = 0; i < 3; ++i) assert(*inbox.receive() == i);
  sender.join();
}

struct apple {
  int weight;
};
struct pear {
  int weight;
};
using fruit = std::variant<apple, pear>;

void selective_receive() {
  mz::mailbox<fruit> box("box");
  auto orchard = mz::spawn("orchard", [to = box.self()] {
    for (int w = 1; w <= 3; ++w) {
      to.send(apple{w});
      to.send(pear{10 * w});
    }
  });
  assert(box.receive<pear>().weight == 10);
  assert(box.receive<apple>([](const apple& a) { return a.weight > 1; }).weight == 2);
  const int limit = 20;
  assert(std::get<pear>(box.receive([&](const fruit& f) {
           return std::holds_alternative<pear>(f) && std::get<pear>(f).weight > limit;
         })).weight == 30);
  orchard.join();
  // Left over, in their order: apple 1, pear 20, apple 3.
  assert(box.match([](apple a) { return a.weight; }) == 1);
  assert(box.match([](pear p) { return p.weight; }, [](apple a) { return a.weight; }) == 20);
  assert(!box.receive<pear>(mz::after(1ms)));
  const auto last = box.receive<apple>(mz::after(1ms));
  assert(last && last->weight == 3);
  assert(!box.receive(mz::after(0ms)));
}

void time_out() {
  mz::mailbox<int> inbox;
  auto sender = mz::spawn("sender", [to = inbox.self()] { to.send(7); });
  const std::optional<int> early = inbox.receive(mz::after(1ms));
  assert(!early || *early == 7);
  if (!early) assert(inbox.receive() == 7);
  assert(!inbox.receive([](int) { return true; }, mz::after(0ms)));
  sender.join();
}

void counting() {
  mz::mailbox<std::variant<int, std::string>> inbox;
  auto a = mz::spawn("a", [to = inbox.self()] {
    to.send(1);
    to.send("a string that is too long to lie in the message itself");
  });
  auto b =
      mz::spawn("b", [to = inbox.self()] { to.send("another one of these, and not received"); });
  inbox.discard<std::string>();
  inbox.discard(2);
  assert(!inbox.receive(mz::after(0ms)));
  a.join();
  b.join();
  inbox.self().send("and one that nobody ever receives, which is no leak");
}

void crashes() {
  mz::mailbox<std::variant<int, mz::down>> inbox;
  const auto fails = [](mz::mailbox<int>& self) {
    if (self.receive() == 0) throw std::runtime_error("zero");
  };
  auto bad = mz::spawn<int>("bad", fails, mz::watched_by(inbox.self()));
  auto good = mz::spawn<int>("good", fails, mz::watched_by(inbox.self()));
  bad.send(0);
  good.send(1);
  for (int i = 0; i < 2; ++i) {
    const mz::down d = inbox.receive<mz::down>();
    assert(d.crashed == (d.name == "bad"));
    assert(d.reason == (d.crashed ? "zero" : ""));
  }
  bad.join();
  good.join();
  bad.send(5);  // nobody is there
}

// Only the messages of one sender keep their order.
void couriers() {
  mz::mailbox<int> inbox("far away", mz::order::per_sender);
  auto a = mz::spawn("a", [to = inbox.self()] {
    to.send(1);
    to.send(2);
  });
  inbox.self().send(11);
  int last = 0;
  for (int i = 0; i < 3; ++i) {
    const int n = inbox.receive();
    if (n == 11) continue;
    assert(n == last + 1);
    last = n;
  }
  a.join();
}

// A message orders what its sender did before with what its receiver does after.
void handing_over() {
  int plain = 0;
  mz::mailbox<int*> inbox;
  auto writer = mz::spawn("writer", [&plain, to = inbox.self()] {
    plain = 1;
    to.send(&plain);
  });
  assert(*inbox.receive() == 1);
  plain = 2;
  writer.join();
}

// A server may wait for ever: the program ends with main.
void server() {
  auto echo = mz::spawn<ping>("echo", [](mz::mailbox<ping>& self) {
    for (;;) {
      const ping p = self.receive();
      p.answer_to.send(p.number);
    }
  });
  mz::mailbox<int> inbox;
  echo.send({inbox.self(), 3});
  assert(inbox.receive() == 3);
}

mz::table<std::string, std::string> early("early");
const bool filled = early.insert_new("x", "before main");

void tables() {
  assert(filled);
  auto late = mz::spawn("late", [] { assert(!early.insert_new("x", "too late")); });
  assert(early.lookup("x") == "before main");
  late.join();
  mz::table<std::string, std::shared_ptr<int>> t("t");
  mz::table<int, int> numbers;
  auto a = mz::spawn("a", [&] {
    t.insert("x", std::make_shared<int>(1));
    numbers.insert(1, -1);
  });
  auto b = mz::spawn("b", [&] {
    if (auto p = t.take("x")) assert(**p == 1);
    t.insert_new("x", std::make_shared<int>(2));
    assert(numbers.insert_new(2, 0));
    assert(!numbers.insert_new(2, 1));
  });
  a.join();
  b.join();
  const auto p = t.lookup("x");
  assert(p && (**p == 1 || **p == 2));
  t.erase("x");
  assert(!t.lookup("x") && !t.take("x"));
  assert(numbers.lookup(1) == -1 && numbers.take(2) == 0 && !numbers.lookup(2));
}

int main() {
  ping_pong();
  order_of_one_sender();
  selective_receive();
  time_out();
  counting();
  crashes();
  couriers();
  handing_over();
  server();
  tables();
}
