#include "modules/elf_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "spawn.h"

namespace mazur {
namespace {

std::string sample(const std::string& name) {
  return contents_of(std::string(SAMPLES "/") + name + ".so");
}

// Everything that can be asked, so that nothing reads outside of the bytes.
std::size_t ask_all(const std::string& bytes) {
  const ElfFile file(bytes);
  std::size_t size = file.is_x86_64() ? 1 : 0;
  size += file.needed().size() + file.undefined().size() + file.soname().size();
  size += file.build_id().size() + file.function_starts().size();
  for (const auto& code : file.code()) size += code.bytes.size();
  return size;
}

TEST(ElfFile, ReadsALibrary) {
  const std::string bytes = sample("locking");
  const ElfFile file(bytes);
  EXPECT_TRUE(file.is_x86_64());
  EXPECT_FALSE(file.has_interpreter());
  const auto names = file.undefined();
  EXPECT_TRUE(std::find(names.begin(), names.end(), "pthread_mutex_lock") != names.end());
  EXPECT_FALSE(std::find(names.begin(), names.end(), "next") != names.end());
  EXPECT_FALSE(file.code().empty());
  EXPECT_FALSE(file.function_starts().empty());
}

TEST(ElfFile, CodeIsTheSectionsOrElseTheSegment) {
  std::string bytes = sample("quiet");
  std::size_t sections = 0, segment = 0;
  for (const auto& code : ElfFile(bytes).code()) sections += code.bytes.size();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.e_shoff = header.e_shnum = 0;
  std::memcpy(bytes.data(), &header, sizeof header);
  const ElfFile stripped(bytes);
  for (const auto& code : stripped.code()) segment += code.bytes.size();
  EXPECT_GT(sections, 0u);
  EXPECT_GE(segment, sections);
}

TEST(ElfFile, SurvivesTruncation) {
  const std::string bytes = sample("locking");
  EXPECT_GT(ask_all(bytes), 1u);
  for (std::size_t size = 0; size < bytes.size(); size += size < 4096 ? 1 : 61)
    ask_all(bytes.substr(0, size));
}

TEST(ElfFile, SurvivesDamage) {
  const std::string whole = sample("locking");
  // The headers, and a sample of the rest.
  for (std::size_t i = 0; i < whole.size(); i += i < 1024 ? 1 : 37) {
    for (const char value : {'\x00', '\x7f', '\xff'}) {
      std::string bytes = whole;
      bytes[i] = value;
      // Whatever the headers say, no byte counts twice.
      EXPECT_LE(ask_all(bytes), 4 * whole.size());
    }
  }
}

}  // namespace
}  // namespace mazur
