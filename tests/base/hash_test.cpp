#include "base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "base/random_source.h"

namespace mazur {
namespace {

TEST(Hash, Fnv1aAsPublished) {
  EXPECT_EQ(fnv1a(std::string_view("")), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a(std::string_view("a")), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a(std::string_view("foobar")), 0x85944171f73967e8u);
}

TEST(Hash, SplitMix64AsPublished) {
  std::uint64_t state = 1234567;
  EXPECT_EQ(next_random(state), 6457827717110365317u);
  EXPECT_EQ(next_random(state), 3203168211198807973u);
  EXPECT_EQ(next_random(state), 9817491932198370423u);
}

// Names of atomic blocks and keys of caches are made with them.
TEST(Hash, NamesInFilesStayAsTheyAre) {
  EXPECT_EQ(spread(3), 0xdaa66d2c7ddf743fu);
  EXPECT_EQ(folded(3), 0xdaa66d2ca7791913u);
  EXPECT_EQ(mixed(kHashSeed, 3), 0x1d3c0ebd43240cfdu);
  EXPECT_EQ(mixed_well(kHashSeed, 3), 0xaf6b952cc04b181au);
}

TEST(Hash, TheOrderOfNumbersCounts) {
  EXPECT_NE(mixed(mixed(kHashSeed, 1), 2), mixed(mixed(kHashSeed, 2), 1));
}

// A table of 2^16 places is filled by distant pages about as evenly as by chance.
TEST(Hash, LowerBitsOfFoldedDependOnHigherOnes) {
  std::set<std::uint64_t> places;
  for (std::uint64_t i = 0; i < 1 << 14; ++i) places.insert(folded(i << 20) & 0xffff);
  EXPECT_GT(places.size(), 12'000u);
}

TEST(Hash, WordsOfMemoryWithZeroesAtTheEnd) {
  const std::string_view ten("\1\0\0\0\0\0\0\0\2\3", 10);
  std::vector<std::uint64_t> words;
  for_each_word(ten.data(), ten.data() + ten.size(), [&](std::uint64_t w) { words.push_back(w); });
  EXPECT_EQ(words, (std::vector<std::uint64_t>{1, 0x302}));
  for_each_word(ten.data(), ten.data(), [&](std::uint64_t w) { words.push_back(w); });
  EXPECT_EQ(words.size(), 2u);
}

}  // namespace
}  // namespace mazur
