// Larger litmus tests, of which the number of executions is known from GenMC's own tests.
#include "litmus_table.h"

namespace mazur::litmus {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : ";") + line;
  return text;
}
std::string store(int variable, const std::string& value) {
  return "store.release x" + std::to_string(variable) + " " + value;
}
std::string load(int target, int variable) {
  return "load.acquire r" + std::to_string(target) + " x" + std::to_string(variable);
}

// Each thread takes x if nobody has, and writes it in any case.
std::vector<std::string> casw(int n) {
  std::vector<std::string> code;
  for (int i = 0; i < n; ++i)
    code.push_back(joined({"cas.relaxed r0 x0 0 1", store(0, std::to_string(i + 3))}));
  return code;
}

// Each thread turns x on by one, if it is its turn.
std::vector<std::string> casrot(int n) {
  std::vector<std::string> code;
  for (int i = 1; i <= n; ++i)
    code.push_back("cas.relaxed r0 x0 " + std::to_string(i - 1) + " " + std::to_string(i));
  return code;
}

// Two threads write x and look at it, with a look at another variable between.
std::vector<std::string> coherence(int n) {
  std::vector<std::string> code = {joined({store(0, "1"), load(0, 1), load(1, 0)}),
                                   joined({store(0, "2"), load(0, 2), load(1, 0)})};
  for (int i = 0; i + 1 < n; ++i)
    code.push_back(joined({store(1, std::to_string(i)), store(2, std::to_string(i))}));
  return code;
}

std::vector<std::string> big0() {
  const auto writes = [](int first, int second) {
    std::vector<std::string> lines;
    for (const char* value : {"1", "2", "3"}) {
      lines.push_back(store(first, value));
      lines.push_back(store(second, value));
    }
    return joined(lines);
  };
  return {
      joined({load(0, 0), load(1, 1), load(2, 2), load(3, 3), load(0, 0), load(1, 1), load(2, 2)}),
      joined({load(0, 0), load(1, 1), load(2, 2)}), writes(0, 1), writes(2, 3)};
}

// Two threads add the two variables up, one into each; a third looks how far they got.
std::vector<std::string> fib_bench(int rounds) {
  const auto adds = [&](int target) {
    std::vector<std::string> lines;
    for (int i = 0; i < rounds; ++i)
      for (const std::string& line :
           {load(0, 0), load(1, 1), std::string("add r0 r1"), store(target, "r0")})
        lines.push_back(line);
    return joined(lines);
  };
  return {adds(0), adds(1), joined({load(0, 0), "assert r0 < 145", load(1, 1), "assert r1 < 145"})};
}

// With release and acquire alone both may be in the critical section.
std::vector<std::string> peterson() {
  const auto side = [](int own, int other, const std::string& turn, const std::string& value) {
    return joined({store(own, "1"), store(2, turn), load(0, other), "if r0 != 1 goto 6", load(0, 2),
                   "assume r0 != " + turn, store(3, value), load(0, 3), store(own, "0")});
  };
  return {side(0, 1, "1", "0"), side(1, 0, "0", "1")};
}

// Two threads cross out the multiples of what nobody has crossed out.
std::vector<std::string> eratosthenes(int n) {
  std::vector<std::string> lines;
  for (int i = 0; i < n; ++i) {
    std::vector<std::string> crossed;
    for (int j = 2 * i + 2; j < n; j += i + 2) crossed.push_back(store(j, "2"));
    lines.push_back(load(0, i));
    const std::size_t after = lines.size() + 2 + crossed.size();
    lines.push_back("if r0 != 0 goto " + std::to_string(after));
    lines.push_back(store(i, "1"));
    lines.insert(lines.end(), crossed.begin(), crossed.end());
  }
  return {joined(lines), joined(lines)};
}

}  // namespace

const std::vector<Row>& larger() {
  static const std::vector<Row> rows = {
      {"casw(5)", casw(5), {32880, 32880, 32880, 32880}},
      {"casrot(9)", casrot(9), {8597, 8597, 8597, 8597}},
      {"CoA(4)", coherence(4), {2028, 2304, 2304, 2304}},
      {"peterson", peterson(), {4, 22, 22, 22}},
      {"eratosthenes(5)", eratosthenes(5), {398, 1202, 1202, 1512}},
  };
  return rows;
}

const std::vector<Row>& largest() {
  static const std::vector<Row> rows = {
      {"big0", big0(), {69112, kUnknown, kUnknown, 82472}},
      {"fib_bench(5)", fib_bench(5), {218243, kUnknown, kUnknown, 525630}, {1, 1}},
  };
  return rows;
}

}  // namespace mazur::litmus
