// The trace file of an error: the schedule, what it means in source lines, and how to run it again.
// docs/trace-format.md describes the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "check/channel.h"
#include "report/finding.h"

namespace mazur {

inline constexpr unsigned kTraceVersion = 2;

// How the program was made, when Mazur made it.
struct Recipe {
  std::string directory;
  std::vector<std::vector<std::string>> compile;
  std::vector<std::string> link;
  std::string output;
  bool empty() const { return link.empty(); }
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

struct TraceFile {
  std::string program;  // absolute path; of a program made by the recipe, only its name
  std::uint64_t program_hash = 0;
  std::vector<std::string> arguments;
  std::string directory;  // where it ran
  Recipe recipe;
  // The options that change what an execution is.
  std::string algorithm;
  Isolation isolation = Isolation::kSnapshot;
  Races races = Races::kReport;
  bool loops_wait = true;
  std::uint64_t max_steps = 0;
  std::string suppressions;   // the file of them, or ""
  bool nondet_given = false;  // --nondet
  std::int64_t nondet_lowest = 0, nondet_highest = 0;
  Property property = Property::kNone;  // --svcomp, and the function that must not be called
  std::string property_function;
  Finding finding;
};

std::string encode_trace(const TraceFile& file);

// The file, or one sentence (without the file's name) that says what is wrong with the bytes. Never
// reads outside of them.
std::variant<TraceFile, std::string> decode_trace(std::span<const char> bytes);

}  // namespace mazur
