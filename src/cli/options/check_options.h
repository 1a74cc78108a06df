// The options of `mazur check`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/build/toolchain.h"
#include "cli/options/common_options.h"
#include "protocol/channel.h"

namespace mazur {

struct CheckOptions {
  CommonOptions common;
  Request request;
  bool algorithm_given = false;
  bool races_given = false;
  Compiler compiler = Compiler::kGcc;
  std::string build_dir;  // where to compile; empty: a temporary folder
  std::string trace_dir;  // where trace files go; empty: here
  std::string trace_prefix;
  bool write_traces = true;
  bool progress = false;           // also without a terminal
  unsigned jobs = 1;               // worker processes
  bool first = false;              // with several: whichever error is found first
  std::string ledger;              // where the work is kept: a file or a URL; empty: in memory
  bool ship = false;               // with a ledger: the program, too
  bool weaken = false;             // try weaker memory orders (cli/weaken.h)
  std::string witness;             // with --svcomp: the file for a witness; empty: none
  std::vector<std::string> trust;  // modules whose code threads share nothing through

  // What is checked.
  std::vector<std::string> sources;
  std::vector<std::string> flags;
  std::string executable;
  std::string model;  // a dlang program
  std::vector<std::string> arguments;
};

const std::vector<Option<CheckOptions>>& check_option_table();

void set_algorithm(Request& request, std::string_view name);

// Throws UsageError. `help` is set when only the help was asked for.
CheckOptions parse_check(const std::vector<std::string>& arguments, bool& help);

// What the words that are no options mean, and which options suit each other. Throws UsageError.
void settle_check(Words words, CheckOptions& options);

std::string check_help();

}  // namespace mazur
