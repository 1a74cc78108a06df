// Runs a program with messages and a table that is given as arguments, one process each, and prints
// what every process saw. Words:
//   s<p><a><v>  send v as alternative a (0 or 1) to process p
//   r R         receive anything; with a time limit
//   a<a> A<a>   receive alternative a; with a time limit
//   e E         receive an even number, by a predicate; with a time limit
//   d D<a>      count a message; one of alternative a
//   i<k><v> n<k><v> l<k> x<k> k<k>   insert, insert_new, lookup, erase, take of key k
#include <mazur/mailbox.h>
#include <mazur/table.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mz = mazur;

struct one {
  int value;
};
struct other {
  int value;
};
using message = std::variant<one, other>;

struct process {
  std::unique_ptr<mz::mailbox<message>> inbox;
  std::string seen;
};

int value_of(const message& m) {
  return std::visit([](const auto& content) { return content.value; }, m);
}

class interpreter {
 public:
  interpreter(std::vector<process>& all, std::size_t me, mz::table<int, int>& entries)
      : all_(all), inbox_(*all[me].inbox), seen_(all[me].seen), table_(entries) {}

  void run(const std::string& code) {
    // No streams: their locales are counted by atomic operations, which are events.
    for (std::size_t at = 0; at < code.size();) {
      const std::size_t end = std::min(code.find(' ', at), code.size());
      step(code.substr(at, end - at));
      at = end + 1;
    }
  }

 private:
  void saw(std::optional<int> value) { seen_ += value ? std::to_string(*value) + " " : "- "; }
  void saw(const std::optional<message>& m) {
    saw(m ? std::optional<int>(value_of(*m)) : std::nullopt);
  }

  void step(const std::string& word) {
    const auto digit = [&](std::size_t i) { return word[i] - '0'; };
    const mz::after soon{std::chrono::milliseconds(1)};
    const auto even = [](const message& m) { return value_of(m) % 2 == 0; };
    switch (word[0]) {
      case 's': {
        const auto to = all_[static_cast<std::size_t>(digit(1))].inbox->self();
        if (digit(2) == 0)
          to.send(one{digit(3)});
        else
          to.send(other{digit(3)});
        return;
      }
      case 'r':
        return saw(std::optional<message>(inbox_.receive()));
      case 'R':
        return saw(inbox_.receive(soon));
      case 'a':
        return saw(digit(1) == 0 ? inbox_.receive<one>().value : inbox_.receive<other>().value);
      case 'A': {
        if (digit(1) == 0) {
          const auto m = inbox_.receive<one>(soon);
          return saw(m ? std::optional<int>(m->value) : std::nullopt);
        }
        const auto m = inbox_.receive<other>(soon);
        return saw(m ? std::optional<int>(m->value) : std::nullopt);
      }
      case 'e':
        return saw(std::optional<message>(inbox_.receive(even)));
      case 'E':
        return saw(inbox_.receive(even, soon));
      case 'd':
        return inbox_.discard();
      case 'D':
        return digit(1) == 0 ? inbox_.discard<one>() : inbox_.discard<other>();
      case 'i':
        return table_.insert(digit(1), digit(2));
      case 'n':
        return saw(table_.insert_new(digit(1), digit(2)));
      case 'l':
        return saw(table_.lookup(digit(1)));
      case 'x':
        return table_.erase(digit(1));
      case 'k':
        return saw(table_.take(digit(1)));
      default:
        std::abort();
    }
  }

  std::vector<process>& all_;
  mz::mailbox<message>& inbox_;
  std::string& seen_;
  mz::table<int, int>& table_;
};

int main(int count, char** words) {
  mz::table<int, int> entries;
  std::vector<process> all(static_cast<std::size_t>(count - 1));
  for (process& p : all) p.inbox = std::make_unique<mz::mailbox<message>>();
  std::vector<mz::process<void>> running;
  for (std::size_t i = 0; i < all.size(); ++i)
    running.push_back(mz::spawn("process", [&, i, code = std::string(words[i + 1])] {
      interpreter(all, i, entries).run(code);
    }));
  for (auto& p : running) p.join();
  std::printf("state");
  for (const process& p : all) std::printf(" [%s]", p.seen.c_str());
  for (int key = 0; key < 2; ++key) std::printf(" %d", entries.lookup(key).value_or(-1));
  std::printf("\n");
}
