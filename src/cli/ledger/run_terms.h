// What the ledger says about its run: the program's name and arguments, the options that change
// what is explored, and what the program consists of. Who works on the run must have the same.
//
// A worker takes the name, the arguments and the options from the ledger. It believes them only
// after they have passed the checks here: they are data, never a path that is opened or a command
// that is run. The rest, the parts, it finds out about its own program, and compares.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/check_options.h"

namespace mazur {

// Something that the program consists of, or that it depends on.
struct Part {
  enum class Kind : unsigned char {
    kMazur,    // the version
    kProgram,  // the SHA-256 of its file
    kLibrary,  // the same of a library, by its name
    kAddress,  // where a library lies in memory
  };
  Kind kind = Kind::kMazur;
  std::string name, value;
  friend bool operator==(const Part&, const Part&) = default;
};

struct RunTerms {
  std::string program;                 // the name that it sees as its own
  std::vector<std::string> arguments;  // without the name
  std::vector<std::string> options;    // as `mazur check` has them, in the order of their table
  bool suppresses = false;             // there is a file of suppressions,
  std::string suppressions;            // with these contents
  std::vector<Part> parts;
  friend bool operator==(const RunTerms&, const RunTerms&) = default;
};

// The terms of a check, but for the parts. Reads the file of suppressions. `program`: its file. Throws
// UsageError.
RunTerms terms_of(const CheckOptions& options, const std::filesystem::path& program);

// What `mazur check` with these options and arguments would do. The file of suppressions is not
// named there yet. Throws UsageError if something in them is not what terms_of() makes.
CheckOptions options_of(const RunTerms& terms);

std::string encode(const RunTerms& terms);
// Nothing if the bytes make no sense. Never reads outside of them.
std::optional<RunTerms> decode_terms(std::span<const char> bytes);

// Why work for a run with the terms `ledger` cannot go on with `mine`: one sentence without its
// beginning, or "" if it can.
std::string misfit(const RunTerms& ledger, const RunTerms& mine);

}  // namespace mazur
