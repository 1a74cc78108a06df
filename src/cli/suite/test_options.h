// The options of `mazur test`: most are those of `mazur check`, and hold for every case.
#pragma once

#include <string>
#include <vector>

#include "cli/options/check_options.h"

namespace mazur {

struct TestOptions {
  CheckOptions check;  // `jobs` is 1: each case is explored by one process
  std::vector<std::string> filters;
  std::string framework;        // the option of one, "none", or empty: it is found out
  double total_time_limit = 0;  // seconds for all cases; 0: none
  unsigned jobs = 1;            // cases beside each other
  bool list = false;
};

// Those that `mazur check` does not have, or that mean something else there.
const std::vector<Option<TestOptions>>& own_test_options();

// Throws UsageError. `help` is set when only the help was asked for.
TestOptions parse_test(const std::vector<std::string>& arguments, bool& help);

std::string test_help();

}  // namespace mazur
