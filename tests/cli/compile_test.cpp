// `mazur c++` and `mazur cc` as drop-in compilers.
#include <gtest/gtest.h>

#include <filesystem>

#include "spawn.h"

namespace mazur {
namespace {

constexpr char kHello[] = "#include <mazur/mazur.h>\nint main() { return 7; }\n";

class CompileTest : public testing::TestWithParam<const char*> {
 protected:
  Finished compile(std::vector<std::string> words, const char* command = "c++") const {
    words.insert(words.begin(), {FAKE_MAZUR, command, std::string("--compiler=") + GetParam()});
    return spawn(words, here_.path());
  }
  // Started without Mazur: with the stock runtime in its place.
  int run(const std::string& name) const { return spawn({here_ / name}).code; }
  Scratch here_;
};

TEST_P(CompileTest, OneFile) {
  here_.write("a.cpp", kHello);
  const auto built = compile({"a.cpp"});
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(built.err, "");
  EXPECT_EQ(run("a.out"), 7);
}

TEST_P(CompileTest, CompileAndLinkApart) {
  here_.write("a.c", kHello);
  ASSERT_EQ(compile({"-c", "-O2", "a.c", "-o", "a.o"}, "cc").code, 0);
  ASSERT_EQ(compile({"a.o", "-o", "a"}, "cc").code, 0);
  EXPECT_EQ(run("a"), 7);
}

TEST_P(CompileTest, SharedLibraries) {
  here_.write("l.cpp", "int value; extern \"C\" int get() { return ++value; }\n");
  here_.write("a.cpp", "extern \"C\" int get(); int main() { return get(); }\n");
  const auto library = compile({"-shared", "-fPIC", "-Wl,-z,defs", "l.cpp", "-o", "libl.so"});
  ASSERT_EQ(library.code, 0) << library.err;
  ASSERT_EQ(compile({"a.cpp", "-L.", "-ll", "-Wl,-rpath," + here_.path(), "-o", "a"}).code, 0);
  EXPECT_EQ(run("a"), 1);
}

TEST_P(CompileTest, PreprocessAssembleAndDependencies) {
  here_.write("a.cpp", kHello);
  EXPECT_NE(compile({"-E", "a.cpp"}).out.find("mazur_choose"), std::string::npos);
  EXPECT_EQ(compile({"-S", "a.cpp"}).code, 0);
  EXPECT_NE(contents_of(here_ / "a.s").find("__tsan_init"), std::string::npos);
  EXPECT_NE(compile({"-M", "a.cpp"}).out.find("mazur.h"), std::string::npos);
  EXPECT_EQ(compile({"-MMD", "-MF", "a.d", "-c", "a.cpp"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(here_ / "a.d"));
}

TEST_P(CompileTest, ALanguageGivenByFlag) {
  here_.write("a.txt", kHello);
  const auto built = compile({"-x", "c++", "a.txt", "-o", "a"});
  EXPECT_EQ(built.code, 0) << built.err;
}

TEST_P(CompileTest, QuestionsAndErrorsAreTheCompilersOwn) {
  const std::string driver = std::string(GetParam()) == "gcc" ? "g++" : "clang++";
  EXPECT_EQ(compile({"--version"}).out, spawn({driver, "--version"}).out);
  EXPECT_EQ(compile({"-dumpmachine"}).out, spawn({driver, "-dumpmachine"}).out);
  here_.write("bad.cpp", "int main() { return nothing; }\n");
  const auto ours = compile({"-c", "bad.cpp"}),
             theirs = spawn({driver, "-c", "bad.cpp"}, here_.path());
  EXPECT_EQ(ours.code, theirs.code);
  EXPECT_EQ(ours.err, theirs.err);
}

TEST_P(CompileTest, AsTheCompilerOfACMakeProject) {
  here_.write("CMakeLists.txt",
              "cmake_minimum_required(VERSION 3.16)\nproject(tiny C CXX)\n"
              "set(CMAKE_CXX_STANDARD 20)\nadd_library(part part.c)\n"
              "add_executable(tiny main.cpp)\ntarget_link_libraries(tiny part)\n");
  here_.write("part.c", "int part(void) { return 5; }\n");
  here_.write("main.cpp", "extern \"C\" int part(); int main() { return part(); }\n");
  const std::string flag = std::string("--compiler=") + GetParam();
  const std::string wrapper = FAKE_MAZUR;
  // A compiler of one word and one with an argument.
  const auto configured =
      spawn({"cmake", "-G", "Ninja", "-B", "build", "-DCMAKE_CXX_COMPILER=" + wrapper + ";c++",
             "-DCMAKE_CXX_FLAGS=" + flag, "-DCMAKE_C_FLAGS=" + flag,
             "-DCMAKE_C_COMPILER=" + wrapper + "-cc"},
            here_.path());
  ASSERT_EQ(configured.code, 0) << configured.out << configured.err;
  const auto built = spawn({"cmake", "--build", "build"}, here_.path());
  ASSERT_EQ(built.code, 0) << built.out << built.err;
  EXPECT_EQ(run("build/tiny"), 5);
  EXPECT_EQ(spawn({FAKE_MAZUR, "check", "build/tiny", "--", "verified"}, here_.path()).code, 0);
}

// Scripts with the names of compilers that come first in PATH and call Mazur: once seen to call
// each other for ever.
TEST_P(CompileTest, BehindAShimWithTheCompilersName) {
  const bool clang = GetParam() == std::string("clang");
  std::filesystem::create_directory(here_ / "shims");
  for (const auto& [name, command] :
       {std::pair{clang ? "clang++" : "g++", "c++"}, std::pair{clang ? "clang" : "gcc", "cc"}}) {
    const std::string shim = here_ / "shims/" + name;
    here_.write(std::string("shims/") + name, std::string("#!/bin/sh\nexec " FAKE_MAZUR " ") +
                                                  command + " --compiler=" + GetParam() +
                                                  " \"$@\"\n");
    std::filesystem::permissions(shim, std::filesystem::perms::owner_all);
  }
  here_.write("a.cpp", kHello);
  here_.write("b.c", "int main(void) { return 8; }\n");
  const std::string path = "PATH=" + (here_ / "shims") + ":/usr/bin:/bin";
  const auto compile_behind = [&](const char* command, const char* source, const char* program) {
    return spawn({"/usr/bin/env", path, FAKE_MAZUR, command,
                  std::string("--compiler=") + GetParam(), source, "-o", program},
                 here_.path());
  };
  const auto built = compile_behind("c++", "a.cpp", "a");
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_EQ(run("a"), 7);
  const auto built_c = compile_behind("cc", "b.c", "b");
  ASSERT_EQ(built_c.code, 0) << built_c.err;
  EXPECT_EQ(run("b"), 8);
  // Only shims: one sentence.
  const auto lost = spawn({"/usr/bin/env", "PATH=" + (here_ / "shims"), FAKE_MAZUR, "c++",
                           std::string("--compiler=") + GetParam(), "a.cpp"},
                          here_.path());
  EXPECT_EQ(lost.code, 2) << lost.err;
  EXPECT_NE(lost.err.find("in PATH calls 'mazur' again"), std::string::npos) << lost.err;
}

INSTANTIATE_TEST_SUITE_P(Compilers, CompileTest, testing::Values("gcc", "clang"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace mazur
