// The three stores, for tests that run on each of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "work/ledger.h"

namespace mazur::test {

enum class Kind { kMemory, kSqlite, kPostgres };
std::string name_of(Kind kind);

// Begins with an empty ledger for each test.
class OnStore : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override;
  void TearDown() override;

  bool is_durable() const { return GetParam() != Kind::kMemory; }
  // How many rounds a random test has: a transaction in memory costs a thousandth.
  unsigned rounds(unsigned in_memory) const;

  // A ledger of a new run.
  std::unique_ptr<Ledger> begin(bool keep_going, bool first);
  // Another one, of the same run. `lease`: in seconds; 0: others may take what it has at once.
  std::unique_ptr<Ledger> join(double lease = 1000) const;
  std::unique_ptr<LedgerStore> open(double lease = 1000) const;

  // How the run is called.
  std::string place() const;

 private:
  static inline unsigned runs_ = 0;
  std::filesystem::path folder_;
  unsigned run_ = 0;
};

inline const auto kAllStores = testing::Values(Kind::kMemory, Kind::kSqlite, Kind::kPostgres);
inline const auto kDurableStores = testing::Values(Kind::kSqlite, Kind::kPostgres);
inline std::string test_name(const testing::TestParamInfo<Kind>& info) {
  return name_of(info.param);
}

}  // namespace mazur::test
