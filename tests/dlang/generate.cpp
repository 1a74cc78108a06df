#include "generate.h"

#include <fmt/format.h>

#include <random>

#include "base/hash.h"

namespace mazur::dlang {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t number) : random_(spread(number) + 1) {}

  std::string program() {
    const int processes = 2 + pick(2);
    blocking_ = pick(2) == 0;
    left_ = 4 + pick(5);
    std::string text = fmt::format(
        "<\"random\" {}, x 1 {}, y 1, a 3 0 1 2, w 1, const c 2 1 2, local i 1, local j 2 1{}>\n",
        processes, pick(3), blocking_ ? ", mutex m 2" : "");
    for (int p = 0; p < processes; ++p) {
      text += "[\n";
      for (int n = 1 + pick(4); n > 0; --n) text += statement(1);
      text += "]\n";
    }
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::string local() {
    static const char* const kLocals[] = {"i", "j[0]", "j[1]", "1", "0", "2", "c[1]", "c[i % 2]"};
    return kLocals[pick(8)];
  }
  std::string global() {
    switch (pick(6)) {
      case 0:
      case 1:
        return "x";
      case 2:
        return "y";
      case 3:
        return fmt::format("a[{}]", pick(3));
      case 4:
        return fmt::format("a[{} % 3]", local());
      default:
        return pick(3) == 0 ? "a[x % 3]" : pick(3) == 0 ? "w" : "a[i]";
    }
  }
  std::string value() {
    switch (pick(5)) {
      case 0:
        return local();
      case 1:
        return fmt::format("{} + {}", local(), local());
      case 2:
        return fmt::format("{} {} 1", global(), pick(2) == 0 ? "+" : "*");
      case 3:
        return pick(6) == 0 ? fmt::format("4 / {}", global()) : global();
      default:
        return pick(4) == 0 ? fmt::format("{} - {}", global(), global()) : local();
    }
  }
  std::string condition() {
    static const char* const kRelations[] = {"<", ">", "==", "!=", "<=", ">="};
    return fmt::format("{} {} {}", pick(3) == 0 ? value() : global(), kRelations[pick(6)], local());
  }

  std::string statement(int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    if (--left_ < 0) return indent + fmt::format("i := {}\n", pick(3));
    switch (pick(blocking_ ? 15 : 12)) {
      case 0:
      case 1:
      case 2:
        return indent + fmt::format("{} := {}\n", global(), value());
      case 3:
      case 4:
        return indent + fmt::format("{} := {}\n", pick(2) == 0 ? "i" : "j[1]", value());
      case 5:
        return indent + fmt::format("if {}\n", condition());
      case 6:
        if (depth > 2) return indent + "x := 1\n";
        return indent + fmt::format("if {} then {{\n{}{}}} else {{\n{}{}}}\n", condition(),
                                    statement(depth + 1), indent, statement(depth + 1), indent);
      case 7:
        if (depth > 2) return indent + "y := 1\n";
        return indent + fmt::format("while i < 2 {{\n{}{}  i := i + 1\n{}}}\n",
                                    statement(depth + 1), indent, indent);
      case 8:
        return indent + fmt::format("comp_swap({}, {}, {})\n", global(), local(), local());
      case 9:
        return indent + fmt::format("i := comp_swap({}, {}, {})\n", global(), local(), value());
      case 10:
        return indent + fmt::format("assert {}\n", condition());
      case 11:
        return indent + fmt::format("w := {}\n", pick(2) == 0 ? "w + 1" : local());
      case 12:
        return indent + fmt::format("await w {} {}\n", pick(2) == 0 ? ">=" : "!=", pick(3));
      case 13:
        return indent + fmt::format("lock m[{}]\n{}{}unlock m[0]\n", pick(5) == 0 ? "i" : "0",
                                    statement(depth), indent);
      default:
        return indent + fmt::format("lock m[1]\n{}{}unlock m[1]\n", statement(depth), indent);
    }
  }

  std::mt19937_64 random_;
  bool blocking_ = false;
  int left_ = 0;
};

}  // namespace

std::string generate(std::uint64_t number) { return Generator(number).program(); }

}  // namespace mazur::dlang
