#include "report/findings/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace mazur {
namespace {

TEST(Files, WriteReplacesAndReadReturnsAll) {
  const auto path = std::filesystem::path(testing::TempDir()) / "mazur_files_test";
  const std::string contents("a\0b\n", 4);
  ASSERT_TRUE(write_file(path, "something longer than the second"));
  ASSERT_TRUE(write_file(path, contents));
  EXPECT_EQ(read_file(path), contents);
  std::filesystem::remove(path);
}

TEST(Files, ErrorsAreValues) {
  EXPECT_FALSE(read_file("/nowhere/at/all"));
  EXPECT_FALSE(read_file("/"));
  EXPECT_FALSE(write_file("/nowhere/at/all", "x"));
}

TEST(Files, WhatAFileNamesMustBeAnOrdinaryOne) {
  const auto pipe = std::filesystem::path(testing::TempDir()) / "mazur_files_pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(read_regular_file(pipe));  // nobody writes to it: reading would not end
  std::filesystem::remove(pipe);
  EXPECT_FALSE(read_regular_file("/dev/zero"));
  EXPECT_FALSE(read_regular_file("/"));
  EXPECT_FALSE(read_file("/dev/zero", 1000));
  EXPECT_TRUE(read_regular_file("/proc/self/exe"));
}

TEST(Files, ADeviceIsWrittenInPlace) {
  EXPECT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace mazur
