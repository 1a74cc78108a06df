#include "cli/build/executable.h"

#include <gtest/gtest.h>

#include <random>

#include "report/findings/files.h"
#include "spawn.h"

namespace mazur {
namespace {

TEST(Executable, MutatedFilesAreReadSafely) {
  const Scratch scratch;
  const std::string program = scratch / "program";
  ASSERT_EQ(spawn({FAKE_MAZUR, "c++", FIXTURE, "-o", program}).code, 0);
  const std::string good = read_file(program).value();
  ASSERT_EQ(examine_elf(good), Instrumentation::kPresent);
  std::mt19937_64 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    // The headers and the dynamic section are what is interpreted.
    for (int edit = 0; edit < 6; ++edit)
      bytes[random() % (edit < 3 ? 1024 : bytes.size())] = static_cast<char>(random());
    examine_elf(bytes);
    examine_elf(std::span(bytes.data(), random() % bytes.size()));
  }
}

TEST(Executable, OtherFiles) {
  EXPECT_EQ(examine_elf({}), Instrumentation::kNotElf);
  EXPECT_EQ(examine_elf(std::string_view("#!/bin/sh\nexit 0\n")), Instrumentation::kNotElf);
  std::string header(64, '\0');
  header.replace(0, 4, "\177ELF");
  header[4] = 1;  // 32 bits
  EXPECT_EQ(examine_elf(header), Instrumentation::kNotX86);
}

}  // namespace
}  // namespace mazur
