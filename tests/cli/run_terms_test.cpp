// What a ledger says about its run: data that is believed only as far as it makes sense.
#include "cli/ledger/run_terms.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cli/ledger/sha256.h"
#include "cli/usage.h"
#include "spawn.h"

namespace mazur {
namespace {

CheckOptions parsed(std::vector<std::string> words) {
  const Scratch folder;
  words.insert(words.begin(), folder.write("a.cpp", "int main() {}"));
  bool help = false;
  return parse_check(words, help);
}

RunTerms terms(const std::vector<std::string>& words) {
  std::vector<std::string> all{"--ledger=run.db"};
  all.insert(all.end(), words.begin(), words.end());
  return terms_of(parsed(all), "/somewhere/prog");
}

RunTerms with_parts(RunTerms terms) {
  terms.parts = {{Part::Kind::kMazur, "", "1.0"},
                 {Part::Kind::kProgram, "", sha256({"program", 7})},
                 {Part::Kind::kLibrary, "liba.so", sha256({"a", 1})},
                 {Part::Kind::kAddress, "liba.so", "0x1000"}};
  return terms;
}

TEST(RunTerms, OptionsThatCountComeBackAndOthersDoNot) {
  const std::vector<std::string> counting = {
      "--memory=c++20",     "--keep-going",         "--first",
      "--max-steps=77",     "--step-limit=2.5",     "--call-limit=1",
      "--nondet=-2..3",     "--races=ignore",       "--loops=run",
      "--timeouts=first",   "--spurious-wakeups=2", "--spurious-failures=1",
      "--trust=liba.so",    "--trust=libb.so",      "--leaks",
      "--seed=5",           "--pick=highest",       "--isolation=fork",
      "--check-determinism"};
  std::vector<std::string> words = counting;
  for (const char* other : {"-j4", "--time-limit=5m", "--minimise=0", "--progress", "--quiet",
                            "--no-trace", "--output=all"})
    words.emplace_back(other);
  words.insert(words.end(), {"--", "one", "--two"});
  const RunTerms given = terms(words);
  EXPECT_EQ(given.options, counting);
  EXPECT_EQ(given.program, "prog");
  EXPECT_EQ(given.arguments, (std::vector<std::string>{"one", "--two"}));
  const auto read = decode_terms(encode(given));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, given);
  const CheckOptions options = options_of(*read);
  EXPECT_EQ(options.request.explorer.memory, MemoryModel::kCpp20);
  EXPECT_STREQ(options.request.algorithm, "graph");
  EXPECT_EQ(options.request.nondet_lowest, -2);
  EXPECT_EQ(options.arguments, given.arguments);
  EXPECT_EQ(terms_of(options, "prog").options, counting);
}

TEST(RunTerms, TheUsualOptionsAreNone) {
  EXPECT_TRUE(terms({}).options.empty());
  EXPECT_TRUE(terms({"--memory=sc", "--max-steps=100000", "--races=report"}).options.empty());
}

TEST(RunTerms, WalksAreNamedWithWhatTheyCount) {
  const std::vector<std::string> counting = {"--algorithm=pct", "--max-executions=1000", "--seed=9",
                                             "--pct-depth=5"};
  const RunTerms given = terms(counting);
  EXPECT_EQ(given.options, counting);
  const CheckOptions options = options_of(given);
  EXPECT_STREQ(options.request.algorithm, "pct");
  EXPECT_EQ(options.request.bounds.max_executions, 1000u);
  EXPECT_EQ(options.request.explorer.seed, 9u);
  EXPECT_EQ(options.request.explorer.pct_depth, 5u);
  EXPECT_EQ(misfit(given, terms({"--algorithm=random", "--max-executions=1000", "--seed=9"})),
            "was begun with --algorithm=pct");
}

TEST(RunTerms, OptionsFromALedgerAreNoCommandLine) {
  const auto refused = [](const std::vector<std::string>& options) {
    RunTerms forged = terms({});
    forged.options = options;
    EXPECT_THROW(options_of(forged), UsageError) << testing::PrintToString(options);
  };
  // Files and commands, words that are no options, values that are none, and other spellings.
  refused({"--suppressions=/etc/passwd"});
  refused({"--property=/etc/passwd"});
  refused({"--build-dir=/tmp"});
  refused({"--json=/tmp/x"});
  refused({"--ledger=other.db"});
  refused({"--help"});
  refused({"file.cpp"});
  refused({"-O2"});
  refused({"--"});
  refused({""});
  refused({"--memory=vax"});
  refused({"--memory"});
  refused({"--memory", "tso"});
  refused({"--keep-going", "--memory=tso"});
  refused({"--memory=tso", "--memory=tso"});
  refused({"--memory=sc"});
  refused({"--max-steps=0"});
  refused({"--races=explore"});
  refused({"--algorithm=graph"});
  refused({"--algorithm=optimal"});
  refused({"--algorithm=none"});
  refused({"--max-executions=5"});
  refused({std::string("--trust=a\0b", 11)});
  RunTerms forged = terms({});
  for (const std::string& name : {std::string(), std::string("../prog"), std::string("a\0b", 3)}) {
    forged.program = name;
    EXPECT_THROW(options_of(forged), UsageError) << name;
  }
}

TEST(RunTerms, BytesThatAreCutOrChangedAreRefusedOrDiffer) {
  const RunTerms whole = with_parts(terms({"--memory=tso", "--", "x"}));
  const std::string bytes = encode(whole);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_terms({bytes.data(), size})) << size;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x55);
    const auto read = decode_terms(changed);
    EXPECT_TRUE(!read || !(*read == whole)) << i;
  }
}

TEST(RunTerms, AMisfitSaysWhatDiffers) {
  const RunTerms ledger = with_parts(terms({"--memory=tso"}));
  EXPECT_EQ(misfit(ledger, ledger), "");
  const auto why = [&](auto change) {
    RunTerms mine = ledger;
    change(mine);
    return misfit(ledger, mine);
  };
  EXPECT_EQ(why([](RunTerms& t) { t.options = {}; }), "was begun with --memory=tso");
  EXPECT_EQ(why([](RunTerms& t) { t.options.emplace_back("--leaks"); }),
            "was begun without --leaks");
  EXPECT_EQ(why([](RunTerms& t) { t.arguments = {"x"}; }),
            "was begun with other arguments of the program");
  EXPECT_EQ(why([](RunTerms& t) { t.parts[0].value = "2.0"; }), "was begun by Mazur 1.0");
  EXPECT_EQ(why([](RunTerms& t) {
              t.parts[1].value = sha256({"other", 5});
            }),
            "was begun with another program, or this one was built anew since then");
  EXPECT_EQ(why([](RunTerms& t) {
              t.parts[2].value = sha256({"b", 1});
            }),
            "was begun with another liba.so");
  EXPECT_TRUE(contains(why([](RunTerms& t) { t.parts[3].value = "0x2000"; }), "another address"));
  EXPECT_TRUE(contains(why([](RunTerms& t) { t.parts.erase(t.parts.begin() + 2); }),
                       "the library liba.so, which this program does not load"));
  EXPECT_EQ(why([](RunTerms& t) {
              t.parts.push_back({Part::Kind::kLibrary, "libb.so", sha256({"b", 1})});
            }),
            "was begun without the library libb.so");
  EXPECT_EQ(why([](RunTerms& t) { t.suppresses = true; }), "was begun with other --suppressions");
  EXPECT_EQ(why([](RunTerms& t) { t.program = "other"; }), "was begun with a program called prog");
}

TEST(RunTerms, TheContentsOfSuppressionsCount) {
  const Scratch folder;
  const std::string file = folder.write("races", "race:f\n");
  const RunTerms one = terms({"--suppressions=" + file});
  EXPECT_TRUE(one.suppresses);
  EXPECT_EQ(one.suppressions, "race:f\n");
  folder.write("races", "race:*\n");
  EXPECT_EQ(misfit(one, terms({"--suppressions=" + file})), "was begun with other --suppressions");
}

// FIPS 180-2, appendix B.
TEST(Sha256, KnownHashes) {
  EXPECT_EQ(sha256({"abc", 3}), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_TRUE(is_sha256(sha256({})));
  EXPECT_FALSE(is_sha256("../" + sha256({}).substr(3)));
  EXPECT_FALSE(is_sha256(sha256({}).substr(1)));
}

}  // namespace
}  // namespace mazur
