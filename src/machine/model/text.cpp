#include "machine/model/text.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace mazur::model {
namespace {

constexpr std::array<std::string_view, kObjectClasses> kClassNames = {
    "variables", "mutexes", "rwlocks",   "conditions", "semaphores",
    "barriers",  "onces",   "mailboxes", "keys"};
constexpr std::string_view kLetters = "xmwcsboqk";
constexpr std::array<std::string_view, 4> kComparisons = {"==", "!=", "<", ">="};

// Memory orders, written behind the name of an instruction: "store.release". None: seq_cst.
constexpr std::array<std::string_view, 5> kOrders = {".relaxed", ".consume", ".acquire", ".release",
                                                     ".acq_rel"};

bool has_values(ObjectClass c) {
  return c == ObjectClass::kVariable || c == ObjectClass::kSemaphore || c == ObjectClass::kBarrier;
}

// A letter and a number: "r3".
std::string named(char letter, int number) {
  return std::string(1, letter).append(std::to_string(number));
}

std::string print_place(ObjectClass c, const Place& p) {
  std::string s = named(kLetters[static_cast<std::size_t>(c)], p.base);
  if (p.index != kNoRegister) s.append("[").append(named('r', p.index)).append("]");
  return s;
}

std::string print_value(const Value& v) {
  if (v.reg == kNoRegister) return std::to_string(v.constant);
  std::string s = named('r', v.reg);
  if (v.constant > 0) s.append("+");
  if (v.constant != 0) s.append(std::to_string(v.constant));
  return s;
}

std::string print_part(const Instruction& in, Part part) {
  const Form& f = form(in.code);
  const std::string_view comparison = kComparisons[static_cast<std::size_t>(in.comparison)];
  switch (part) {
    case Part::kNone:
      return {};
    case Part::kResult:
      return named('r', in.reg);
    case Part::kPlace:
      return print_place(f.of_place, in.place);
    case Part::kPlace2:
      return print_place(f.of_place2, in.place2);
    case Part::kValue:
      return print_value(in.value);
    case Part::kValue2:
      return print_value(in.value2);
    case Part::kWays:
      return std::to_string(in.ways);
    case Part::kThread:
      return named('t', in.target);
    case Part::kTest:
      return named('r', in.reg)
          .append(" ")
          .append(comparison)
          .append(" ")
          .append(std::to_string(in.value.constant));
    case Part::kTarget:
      return std::string("goto ").append(std::to_string(in.target));
    case Part::kComparison:
      return std::string(comparison);
  }
  return {};
}

// One line of text, word by word.
class Words {
 public:
  Words(std::string_view line, int number) : number_(number) {
    std::istringstream in{std::string(line.substr(0, line.find('#')))};
    for (std::string w; in >> w;) words_.push_back(w);
  }
  bool empty() const { return at_ == words_.size(); }
  const std::string& peek() const {
    if (empty()) fail("the line ends too early");
    return words_[at_];
  }
  std::string next() {
    std::string w = peek();
    ++at_;
    return w;
  }
  int number(std::string_view w) const {
    int v = 0;
    if (!w.empty() && w[0] == '+') w.remove_prefix(1);
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), v);
    if (error != std::errc{} || end != w.data() + w.size()) fail("not a number: " + std::string(w));
    return v;
  }
  int number() { return number(next()); }
  // A word that is a letter and a number: "r3", "t1".
  int named(char letter, std::string_view w) const {
    if (w.empty() || w[0] != letter) fail(std::string("expected ") + letter + "<number>");
    return number(w.substr(1));
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw std::invalid_argument("line " + std::to_string(number_) + ": " + why);
  }

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  int number_;
};

Place parse_place(Words& words, ObjectClass c) {
  const std::string w = words.next();
  const std::size_t bracket = w.find('[');
  Place p;
  p.base = static_cast<std::uint16_t>(
      words.named(kLetters[static_cast<std::size_t>(c)], std::string_view(w).substr(0, bracket)));
  if (bracket != std::string::npos) {
    if (w.back() != ']') words.fail("expected ]");
    p.index = static_cast<std::int8_t>(
        words.named('r', std::string_view(w).substr(bracket + 1, w.size() - bracket - 2)));
  }
  return p;
}

Value parse_value(Words& words) {
  const std::string w = words.next();
  if (w[0] != 'r') return {.constant = words.number(w)};
  const std::size_t sign = w.find_first_of("+-");
  Value v;
  v.reg = static_cast<std::int8_t>(words.named('r', std::string_view(w).substr(0, sign)));
  if (sign != std::string::npos) v.constant = words.number(std::string_view(w).substr(sign));
  return v;
}

Comparison parse_comparison(Words& words) {
  const auto found = std::find(kComparisons.begin(), kComparisons.end(), words.next());
  if (found == kComparisons.end()) words.fail("expected ==, !=, < or >=");
  return static_cast<Comparison>(found - kComparisons.begin());
}

void parse_part(Words& words, Part part, Instruction& in) {
  const Form& f = form(in.code);
  switch (part) {
    case Part::kNone:
      return;
    case Part::kResult:
      in.reg = static_cast<std::uint8_t>(words.named('r', words.next()));
      return;
    case Part::kPlace:
      in.place = parse_place(words, f.of_place);
      return;
    case Part::kPlace2:
      in.place2 = parse_place(words, f.of_place2);
      return;
    case Part::kValue:
      in.value = parse_value(words);
      return;
    case Part::kValue2:
      in.value2 = parse_value(words);
      return;
    case Part::kWays:
      in.ways = static_cast<std::uint16_t>(words.number());
      return;
    case Part::kThread:
      in.target = static_cast<std::uint16_t>(words.named('t', words.next()));
      return;
    case Part::kTest:
      in.reg = static_cast<std::uint8_t>(words.named('r', words.next()));
      in.comparison = parse_comparison(words);
      in.value.constant = words.number();
      return;
    case Part::kTarget:
      if (words.next() != "goto") words.fail("expected goto");
      in.target = static_cast<std::uint16_t>(words.number());
      return;
    case Part::kComparison:
      in.comparison = parse_comparison(words);
      return;
  }
}

Instruction parse_instruction(Words& words, std::string name) {
  std::uint8_t order = __ATOMIC_SEQ_CST;
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
    const auto found = std::find(kOrders.begin(), kOrders.end(), name.substr(dot));
    if (found == kOrders.end()) words.fail("no such memory order: " + name.substr(dot));
    order = static_cast<std::uint8_t>(found - kOrders.begin());
    name.resize(dot);
  }
  for (int c = 0; c < kCodes; ++c) {
    Instruction in{.code = static_cast<Code>(c), .order = order};
    if (form(in.code).name != name) continue;
    for (Part part : form(in.code).parts) parse_part(words, part, in);
    return in;
  }
  words.fail("no such instruction: " + name);
}

}  // namespace

std::string print(const Instruction& in) {
  std::string s(form(in.code).name);
  if (in.order < kOrders.size()) s.append(kOrders[in.order]);
  for (Part part : form(in.code).parts)
    if (part != Part::kNone) s.append(" ").append(print_part(in, part));
  return s;
}

std::string print(const Program& program) {
  std::string s;
  for (std::size_t c = 0; c < kObjectClasses; ++c) {
    if (program.objects[c].empty()) continue;
    s += kClassNames[c];
    if (has_values(static_cast<ObjectClass>(c)))
      for (std::int32_t v : program.objects[c]) s.append(" ").append(std::to_string(v));
    else
      s.append(" ").append(std::to_string(program.objects[c].size()));
    s += "\n";
  }
  if (program.spurious_wakeups + program.spurious_failures > 0)
    s.append("spurious ")
        .append(std::to_string(program.spurious_wakeups))
        .append(" ")
        .append(std::to_string(program.spurious_failures))
        .append("\n");
  for (const Thread& thread : program.threads) {
    s += thread.spawned ? "thread spawned\n" : "thread\n";
    int number = 0;
    for (const Instruction& in : thread.code)
      s.append("  ").append(std::to_string(number++)).append(": ").append(print(in)).append("\n");
  }
  return s;
}

Program parse(std::string_view text) {
  Program program;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Words words(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    std::string first = words.next();
    const auto name = std::find(kClassNames.begin(), kClassNames.end(), first);
    if (name != kClassNames.end()) {
      const auto c = static_cast<ObjectClass>(name - kClassNames.begin());
      if (!has_values(c)) program.of(c).assign(static_cast<std::size_t>(words.number()), 0);
      while (has_values(c) && !words.empty()) program.of(c).push_back(words.number());
    } else if (first == "spurious") {
      program.spurious_wakeups = static_cast<std::uint8_t>(words.number());
      program.spurious_failures = static_cast<std::uint8_t>(words.number());
    } else if (first == "thread") {
      const bool spawned = !words.empty() && words.next() == "spawned";
      program.threads.push_back({.spawned = spawned, .code = {}});
    } else {
      if (program.threads.empty()) words.fail("an instruction outside of a thread");
      if (first.back() == ':') first = words.next();
      program.threads.back().code.push_back(parse_instruction(words, first));
    }
    if (!words.empty()) words.fail("unexpected: " + words.peek());
  }
  if (const std::string_view why = invalid(program); !why.empty())
    throw std::invalid_argument(std::string(why));
  return program;
}

}  // namespace mazur::model
