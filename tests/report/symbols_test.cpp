#include "report/findings/symbols.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace mazur {
namespace {

std::uint32_t line_marked(const std::string& mark) {
  std::ifstream in(FIXTURE);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with("// line: " + mark)) return number;
  }
  return 0;
}

struct Loaded {
  Module module;
  std::uint64_t pc = 0, balance = 0;
};

class SymbolsTest
    : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + fmt::format("mazur_symbols_{}", getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void shell(const std::string& command) { ASSERT_EQ(std::system(command.c_str()), 0) << command; }

  // Compiles the fixture as a program or as a library with a program, and runs it.
  void load(const std::string& compiler, const std::string& flags, const std::string& shape,
            Loaded& loaded) {
    const std::string program = folder_ + "/program", library = folder_ + "/libfixture.so";
    const std::string compile = fmt::format("{} -g {} ", compiler, flags);
    if (shape == "library") {
      shell(fmt::format("{} -fPIC -shared {} -o {}", compile, FIXTURE, library));
      shell(fmt::format("{} -x c++ -DFIXTURE_USER {} -x none {} -o {}", compile, FIXTURE, library,
                        program));
    } else {
      const char* pie = shape == "pie" ? "-fPIE -pie" : "-fno-pie -no-pie";
      shell(fmt::format("{} {} -DFIXTURE_MAIN {} -o {} -ldl", compile, pie, FIXTURE, program));
    }
    const std::string run = fmt::format("LD_LIBRARY_PATH={} {}", folder_, program);
    std::FILE* pipe = popen(run.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    ASSERT_EQ(std::fscanf(pipe, "%lx %lx %lx", &loaded.module.base, &loaded.pc, &loaded.balance),
              3);
    pclose(pipe);
    loaded.module.begin = loaded.module.base == 0 ? 1 : loaded.module.base;
    loaded.module.end = loaded.module.begin + (64u << 20);
    loaded.module.path = shape == "library" ? library : program;
  }

  std::string folder_;
};

TEST_P(SymbolsTest, LinesInlinedFramesAndGlobals) {
  const auto [compiler, flags, shape] = GetParam();
  Loaded loaded;
  load(compiler, flags, shape, loaded);
  if (HasFatalFailure()) return;
  Symbols symbols(std::span(&loaded.module, 1));
  const auto frames = symbols.frames(loaded.pc);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_TRUE(frames[0].function.starts_with("ledger::inlined(int&)") ||
              frames[0].function == "inlined")
      << frames[0].function;
  EXPECT_EQ(frames[0].file, FIXTURE);
  EXPECT_EQ(frames[0].line, line_marked("inlined"));
  EXPECT_EQ(frames[0].text, "void* pc = return_address();  // line: inlined");
  EXPECT_TRUE(frames[0].user);
  EXPECT_EQ(frames[1].function, "ledger::outer(int&)");
  EXPECT_EQ(frames[1].line, line_marked("outer"));
  EXPECT_EQ(symbols.object(loaded.balance), "ledger::balances+8");
}

INSTANTIATE_TEST_SUITE_P(AllBuilds, SymbolsTest,
                         testing::Combine(testing::Values("g++", "clang++"),
                                          testing::Values("-O0", "-O2"),
                                          testing::Values("pie", "fixed", "library")),
                         [](const auto& info) {
                           return fmt::format("{}{}_{}",
                                              std::get<0>(info.param)[0] == 'g' ? "gcc" : "clang",
                                              std::get<1>(info.param) + 1, std::get<2>(info.param));
                         });

TEST(Symbols, UnknownAddressesAndFilesAreHarmless) {
  Symbols symbols(std::vector<Module>{{0x1000, 0x1000, 0x2000, "/nowhere/at/all"}});
  EXPECT_EQ(symbols.frames(0x9999).front().function, "0x9999");
  EXPECT_EQ(symbols.frames(0x1234).front().function, "all+0x234");
  EXPECT_EQ(symbols.object(0x1234), "");
  EXPECT_EQ(symbols.object(0x9999), "");
}

}  // namespace
}  // namespace mazur
