#include "report/findings/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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

// A folder that is removed at the end.
class FilesTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(here_); }
  void TearDown() override { std::filesystem::remove_all(here_); }
  const std::filesystem::path here_ =
      std::filesystem::path(testing::TempDir()) / ("mazur_files_" + std::to_string(getpid()));
};

TEST_F(FilesTest, ALinkStaysAndItsFileIsReplaced) {
  std::filesystem::create_symlink("folder/file", here_ / "link");
  EXPECT_FALSE(write_file(here_ / "link", "x"));
  std::filesystem::create_directory(here_ / "folder");
  EXPECT_TRUE(write_file(here_ / "link", "new"));
  EXPECT_TRUE(std::filesystem::is_symlink(here_ / "link"));
  EXPECT_EQ(read_file(here_ / "folder/file"), "new");
  EXPECT_EQ(end_of_links(here_ / "link"), here_ / "folder/file");
  std::filesystem::create_symlink("round", here_ / "round");
  EXPECT_FALSE(write_file(here_ / "round", "x"));
  EXPECT_EQ(why_not_writable(here_ / "round"), "Too many levels of symbolic links");
}

// What a shell has opened is not replaced under it.
TEST_F(FilesTest, WhatADescriptorLeadsToIsWrittenInPlace) {
  const int file = open((here_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ASSERT_GE(file, 0);
  EXPECT_EQ(write(file, "before ", 7), 7);
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  std::filesystem::create_symlink(name, here_ / "link");
  EXPECT_FALSE(why_not_writable(here_ / "link"));
  EXPECT_TRUE(write_file(here_ / "link", "after "));
  EXPECT_TRUE(write_file("/dev/fd/" + std::to_string(file), "all"));
  close(file);
  EXPECT_EQ(read_file(here_ / "log"), "before after all");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(why_not_writable("/dev/fd/" + std::to_string(ends[1])), std::nullopt);
  EXPECT_TRUE(write_file("/dev/fd/" + std::to_string(ends[1]), "through"));
  char buffer[10];
  EXPECT_EQ(read(ends[0], buffer, sizeof buffer), 7);
  close(ends[0]);
  close(ends[1]);
}

TEST_F(FilesTest, WhetherAFileCanBeWrittenIsKnownWithoutTouchingIt) {
  ASSERT_TRUE(write_file(here_ / "file", "kept"));
  EXPECT_EQ(why_not_writable(here_ / "file"), std::nullopt);
  EXPECT_EQ(why_not_writable(here_ / "new"), std::nullopt);
  EXPECT_EQ(why_not_writable("/dev/null"), std::nullopt);
  EXPECT_EQ(why_not_writable(here_), "that is a folder");
  EXPECT_EQ(why_not_writable(here_ / "none/file"),
            "there is no folder '" + (here_ / "none").string() + "'");
  EXPECT_EQ(why_not_writable("/proc/mazur"), "No such file or directory");
  // Nobody reads from it: to open it would not end.
  ASSERT_EQ(mkfifo((here_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(why_not_writable(here_ / "pipe"), std::nullopt);
  EXPECT_EQ(read_file(here_ / "file"), "kept");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(here_)) ++files;
  EXPECT_EQ(files, 2u);
}

}  // namespace
}  // namespace mazur
