#include "report/files.h"

#include <gtest/gtest.h>

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

TEST(Files, ADeviceIsWrittenInPlace) {
  EXPECT_TRUE(write_file("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Files, Fnv1aAsPublished) {
  EXPECT_EQ(fnv1a(std::string_view("")), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a(std::string_view("a")), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a(std::string_view("foobar")), 0x85944171f73967e8u);
}

}  // namespace
}  // namespace mazur
