// The trace file of an error: the schedule, what it means in source lines, and how to run it again.
// docs/trace-format.md describes the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "protocol/channel.h"
#include "report/findings/finding.h"

namespace mazur {

inline constexpr unsigned kTraceVersion = 6;
// The oldest version that can still be looked at.
inline constexpr unsigned kOldestTraceVersion = 2;

// A file that took part in making the program, and the FNV-1a hash of what was in it.
struct RecordedFile {
  std::string path;
  std::uint64_t hash = 0;
  friend bool operator==(const RecordedFile&, const RecordedFile&) = default;
};

// How the program was made, when Mazur made it. Not the commands: a trace file is data, and who
// replays it makes the commands from this (cli/build/rebuild.h).
struct Recipe {
  std::string compiler;   // "gcc" or "clang"
  std::string directory;  // where it ran
  std::vector<RecordedFile> sources;
  std::vector<std::string> flags;     // and objects and libraries, in the user's order
  std::vector<RecordedFile> objects;  // those among the flags that are files
  bool empty() const { return sources.empty(); }
  friend bool operator==(const Recipe&, const Recipe&) = default;
};

struct TraceFile {
  unsigned version = kTraceVersion;
  bool has_commands = false;  // version 2 had commands to build the program; they are not read
  std::string program;        // absolute path; of a program made by the recipe, only its name
  std::uint64_t program_hash = 0;
  std::vector<std::string> arguments;
  std::string directory;  // where it ran
  Recipe recipe;
  // The options that change what an execution is.
  std::string algorithm;
  Isolation isolation = Isolation::kSnapshot;
  Races races = Races::kReport;
  MemoryModel memory = MemoryModel::kSc;
  bool loops_wait = true;
  std::uint64_t max_steps = 0;
  Timeouts timeouts = Timeouts::kAny;
  std::string suppressions;   // the file of them, or ""
  bool nondet_given = false;  // --nondet
  std::int64_t nondet_lowest = 0, nondet_highest = 0;
  Property property = Property::kNone;  // --svcomp, and the function that must not be called
  std::string property_function;
  bool failed_checks = false;  // Request::failed_checks
  Finding finding;
};

std::string encode_trace(const TraceFile& file);

// What the second line of a file says about the first one and everything after the second. (In
// version 2, only about the latter.)
std::uint64_t trace_checksum(unsigned version, std::string_view body);

// The file, or one sentence (without the file's name) that says what is wrong with the bytes. Never
// reads outside of them, and needs memory in proportion to them. Nothing of what they say is tried:
// no file is opened and no command is run.
std::variant<TraceFile, std::string> decode_trace(std::span<const char> bytes);

}  // namespace mazur
