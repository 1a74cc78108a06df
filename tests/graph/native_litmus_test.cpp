// The litmus tests as C++ programs: how many executions the real mazur finds under each memory model.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "litmus_table.h"
#include "run_mazur.h"
#include "trace/memory_model.h"

namespace mazur::litmus {
namespace {

// ".release" as C++ has it; "" is seq_cst.
std::string order_of(const std::string& word) {
  const std::size_t dot = word.find('.');
  return "std::memory_order_" + (dot == std::string::npos ? "seq_cst" : word.substr(dot + 1));
}

// An instruction as a statement. r0, r1, ... are `r[0]`, `r[1]`, ..., x0, x1, ... are `x[0]`, ...
std::string statement(const std::string& line) {
  std::istringstream in(line);
  std::string word;
  std::vector<std::string> words;
  while (in >> word) {
    if (!words.empty() && (word[0] == 'r' || word[0] == 'x'))
      word = word.substr(0, 1) + "[" + word.substr(1, 1) + "]" + word.substr(2);
    words.push_back(word);
  }
  const std::string what = words[0].substr(0, words[0].find('.'));
  const std::string order = order_of(words[0]);
  if (what == "store") return words[1] + ".store(" + words[2] + ", " + order + ");";
  if (what == "load") return words[1] + " = " + words[2] + ".load(" + order + ");";
  if (what == "fence") return "std::atomic_thread_fence(" + order + ");";
  if (what == "lock" || what == "unlock") return "m." + what + "();";
  const auto test = [&] { return "(" + words[1] + " " + words[2] + " " + words[3] + ")"; };
  if (what == "if") return "if " + test() + " goto at" + words[5] + ";";
  if (what == "assert") return "assert" + test() + ";";
  if (what == "assume") return "mazur_assume" + test() + ";";
  if (what == "add") return words[1] + " += " + words[2] + ";";
  if (what == "fetch_add")
    return words[1] + " = " + words[2] + ".fetch_add(" + words[3] + ", " + order + ");";
  if (what == "cas")
    return "{ int expected = " + words[3] + "; " + words[1] + " = " + words[2] +
           ".compare_exchange_strong(expected, " + words[4] + ", " + order + "); }";
  ADD_FAILURE() << "an instruction without C++: " << line;
  return {};
}

struct Program {
  std::string name;
  std::vector<std::string> code;
  std::string outcome;          // a condition over `all` and `x`, or empty
  std::array<int, 4> expected;  // executions; negative: the outcome is forbidden; 0: not known
  std::vector<int> initially = {};
  bool assumes = false;  // what an assume stops is not counted
};

std::string condition(const Shape& shape) {
  std::string text = "true";
  const auto is = [&](const std::string& what, int value) {
    if (value >= 0) text += " && " + what + " == " + std::to_string(value);
  };
  for (std::size_t t = 0; t < shape.registers.size(); ++t) {
    is("all[" + std::to_string(t) + "][0]", shape.registers[t].first);
    is("all[" + std::to_string(t) + "][1]", shape.registers[t].second);
  }
  for (std::size_t v = 0; v < shape.variables.size(); ++v)
    is("x[" + std::to_string(v) + "]", shape.variables[v]);
  return text;
}

void add(const std::vector<Row>& rows, std::vector<Program>& all) {
  for (const Row& row : rows) {
    Program p{row.name, row.code, "", {}, row.initially};
    for (std::size_t m = 0; m < 4; ++m) p.expected[m] = -static_cast<int>(row.executions[m]);
    for (const std::string& code : row.code)
      p.assumes = p.assumes || code.find("assume") != std::string::npos;
    all.push_back(p);
  }
}

std::vector<Program> programs(bool largest) {
  std::vector<Program> all;
  if (largest) {
    add(litmus::largest(), all);
    return all;
  }
  add(counted(), all);
  add(larger(), all);
  for (const Shape& shape : shapes())
    for (std::size_t way = 0; way < kWays.size(); ++way)
      all.push_back({std::string(shape.name) + ", " + kWays[way], in_the_way(shape, way),
                     condition(shape), shape.expected[way]});
  return all;
}

// One C++ program for all of them: its argument is the number of the litmus test. Threads run plain
// functions (`+`), for which std::thread is compiled once, not a thousand times.
std::string as_cpp(const std::vector<Program>& programs) {
  std::ostringstream out;
  out << "#include <atomic>\n#include <cassert>\n#include <cstdlib>\n#include <mutex>\n"
         "#include <thread>\n#include <vector>\n#include <mazur/mazur.h>\n"
         "std::atomic<int> x[8];\nstd::mutex m;\nint all[16][4];\n";
  for (std::size_t i = 0; i < programs.size(); ++i) {
    out << "// " << programs[i].name << "\nvoid test" << i << "() {\n";
    for (std::size_t v = 0; v < programs[i].initially.size(); ++v)
      out << "  x[" << v << "].store(" << programs[i].initially[v]
          << ", std::memory_order_relaxed);\n";
    out << "  std::thread t[] = {\n";
    for (std::size_t t = 0; t < programs[i].code.size(); ++t) {
      out << "    std::thread(+[] { auto& r = all[" << t << "]; (void)r;\n";
      std::istringstream lines(programs[i].code[t]);
      std::string line;
      int place = 0;
      for (; std::getline(lines, line, ';'); ++place)
        out << "      at" << place << ": " << statement(line) << "\n";
      out << "      at" << place << ":; }),\n";
    }
    out << "  };\n  for (std::thread& each : t) each.join();\n";
    if (!programs[i].outcome.empty()) out << "  assert(!(" << programs[i].outcome << "));\n";
    out << "}\n";
  }
  out << "int main(int, char** argv) {\n  switch (std::atoi(argv[1])) {\n";
  for (std::size_t i = 0; i < programs.size(); ++i)
    out << "    case " << i << ": test" << i << "(); break;\n";
  out << "  }\n}\n";
  return out.str();
}

class NativeLitmus : public testing::TestWithParam<MemoryModel> {
 protected:
  // Compiles them once for all models.
  static void build(bool largest) {
    programs_ = programs(largest);
    folder_ = std::filesystem::temp_directory_path() / ("mazur-litmus-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "litmus.cpp") << as_cpp(programs_);
    const auto built = test::run_mazur({"c++", "-O1", "-g", "litmus.cpp", "-o", "litmus"}, folder_);
    ASSERT_EQ(built.exit_code, 0) << built.text;
  }
  static void SetUpTestSuite() { build(false); }
  static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }
  void expect_all();
  static inline std::filesystem::path folder_;
  static inline std::vector<Program> programs_;
};

void NativeLitmus::expect_all() {
  const std::vector<Program>& all = programs_;
  const std::string model(memory_name(GetParam()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int expected = all[i].expected[static_cast<std::size_t>(GetParam())];
    if (expected == 0) continue;
    const auto run = test::run_mazur(
        {"check", "./litmus", "--algorithm=graph", "--memory=" + model, "--keep-going",
         "--minimise=0", "--no-trace", "--json=result.json", "--", std::to_string(i)},
        folder_);
    ASSERT_FALSE(run.result.is_null()) << all[i].name << "\n" << run.text;
    EXPECT_EQ(run.result["memory_model"], model);
    EXPECT_EQ(run.complete(), std::abs(expected)) << all[i].name << "\n" << run.text;
    EXPECT_EQ(run.blocked() + run.bounded(), 0) << all[i].name;
    EXPECT_EQ(run.assume_blocked() != 0, all[i].assumes) << all[i].name;
    EXPECT_EQ(run.verdict() == "bug", expected > 0) << all[i].name << "\n" << run.text;
    EXPECT_TRUE(expected > 0 || run.finished()) << all[i].name << "\n" << run.text;
  }
}

TEST_P(NativeLitmus, HasTheExecutionsAndOutcomesOfTheModel) { expect_all(); }

class LargestNativeLitmus : public NativeLitmus {
 protected:
  static void SetUpTestSuite() { build(true); }
};

TEST_P(LargestNativeLitmus, HasTheExecutionsOfTheModel) { expect_all(); }

std::string test_name(const testing::TestParamInfo<MemoryModel>& info) {
  constexpr const char* kNames[] = {"sc", "tso", "pso", "cpp20"};
  return kNames[static_cast<std::size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Models, NativeLitmus,
                         testing::Values(MemoryModel::kSc, MemoryModel::kTso, MemoryModel::kPso,
                                         MemoryModel::kCpp20),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Thorough, LargestNativeLitmus,
                         testing::Values(MemoryModel::kSc, MemoryModel::kCpp20), test_name);

}  // namespace
}  // namespace mazur::litmus
