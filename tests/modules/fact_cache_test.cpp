#include "modules/fact_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spawn.h"

namespace mazur {
namespace {

// nop; lock inc [rdi]; syscall
const std::string kBytes("\x90\xf0\xff\x07\x0f\x05", 6);
const ElfFile::Code kCode{0x1000, kBytes};
const CodeKey kKey{.build_id = "0123abcd", .size = 6, .hash = 77};
const Instructions kFound{
    .atomic = 1, .system_calls = 1, .pauses = 3, .undecoded = 4, .places = {0x1001, 0x1004}};

class Cache : public testing::Test {
 protected:
  std::optional<Instructions> find() const { return cache_.find(kKey, {&kCode, 1}); }
  std::string entry() const { return cache_.entry(kKey).string(); }

  Scratch folder_;
  FactCache cache_{folder_ / "a/b"};
};

TEST_F(Cache, GivesBackWhatItWasGiven) {
  EXPECT_FALSE(find());
  cache_.keep(kKey, kFound);
  ASSERT_TRUE(find());
  EXPECT_EQ(*find(), kFound);
}

TEST_F(Cache, WithoutAFolderKeepsNothing) {
  const FactCache none({});
  none.keep(kKey, kFound);
  EXPECT_FALSE(none.find(kKey, {&kCode, 1}));
}

TEST_F(Cache, IsAboutTheSameCode) {
  cache_.keep(kKey, kFound);
  CodeKey other = kKey;
  other.hash = 78;  // the same build id, but another file
  EXPECT_FALSE(cache_.find(other, {&kCode, 1}));
  other = kKey;
  other.size = 7;
  EXPECT_FALSE(cache_.find(other, {&kCode, 1}));
}

TEST_F(Cache, ADamagedEntryIsNone) {
  const std::string whole = encode_facts(kKey, kFound);
  EXPECT_TRUE(decode_facts(whole, kKey));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_FALSE(decode_facts(whole.substr(0, i), kKey)) << i;
    for (const char value : {'\0', '0', 'f', '\n', ' ', '\xff'}) {
      std::string bytes = whole;
      bytes[i] = value;
      if (bytes == whole) continue;
      EXPECT_FALSE(decode_facts(bytes, kKey)) << i << " " << int{value};
    }
  }
  EXPECT_FALSE(decode_facts(whole + "1\n", kKey));
}

TEST_F(Cache, ADamagedFileIsReplaced) {
  cache_.keep(kKey, kFound);
  folder_.write("a/b/id-0123abcd", "rubbish");
  EXPECT_FALSE(find());
  cache_.keep(kKey, kFound);
  EXPECT_TRUE(find());
}

TEST_F(Cache, APlaceWhereNothingOfTheKindStandsIsNotBelieved) {
  Instructions wrong = kFound;
  wrong.places[0] = 0x1000;
  cache_.keep(kKey, wrong);
  EXPECT_FALSE(find());
}

TEST_F(Cache, AnEntryThatOthersMayWriteIsNotBelieved) {
  cache_.keep(kKey, kFound);
  chmod(entry().c_str(), 0622);
  EXPECT_FALSE(find());
}

TEST_F(Cache, LinksPipesAndFoldersAreNoEntries) {
  cache_.keep(kKey, kFound);
  rename(entry().c_str(), (folder_ / "elsewhere").c_str());
  ASSERT_EQ(symlink((folder_ / "elsewhere").c_str(), entry().c_str()), 0);
  EXPECT_FALSE(find());
  unlink(entry().c_str());
  ASSERT_EQ(mkfifo(entry().c_str(), 0600), 0);
  EXPECT_FALSE(find());
  unlink(entry().c_str());
  ASSERT_EQ(mkdir(entry().c_str(), 0700), 0);
  EXPECT_FALSE(find());
  cache_.keep(kKey, kFound);  // cannot take its place, and leaves nothing behind
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "a/b")) {
    EXPECT_EQ(file.path().string(), entry());
    ++files;
  }
  EXPECT_EQ(files, 1u);
}

TEST_F(Cache, ManyProcessesMayWriteAtOnce) {
  cache_.keep(kKey, kFound);
  for (int writer = 0; writer < 4; ++writer) {
    if (fork() != 0) continue;
    bool good = true;
    for (int i = 0; i < 100; ++i) {
      cache_.keep(kKey, kFound);
      good &= find() == kFound;
    }
    _exit(good ? 0 : 1);
  }
  for (int writer = 0; writer < 4; ++writer) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

TEST(CacheOfUser, LiesWhereTheEnvironmentSays) {
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(FactCache::of_user().entry(kKey).string(), "/somewhere/mazur/modules/id-0123abcd");
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  setenv("HOME", "/home/her", 1);
  EXPECT_EQ(FactCache::of_user().entry(kKey).string(),
            "/home/her/.cache/mazur/modules/id-0123abcd");
}

}  // namespace
}  // namespace mazur
