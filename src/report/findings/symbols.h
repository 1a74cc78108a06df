// Turns program counters and addresses of another process into source lines and names.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "report/findings/finding.h"

struct backtrace_state;

namespace mazur {

// Reads the files of the given modules when they are first needed. Not thread-safe.
class Symbols {
 public:
  explicit Symbols(std::span<const Module> modules);

  // The frames at a return address, innermost (inlined) first; never empty.
  std::vector<Frame> frames(std::uint64_t pc);
  // The global variable that contains the address ("account" or "table+16"), or "".
  std::string object(std::uint64_t address);

 private:
  const Module* module_of(std::uint64_t address) const;
  // The debug information of a file, and what to add to an address of the file to ask it.
  struct File {
    backtrace_state* state = nullptr;
    std::uint64_t bias = 0;
    bool user = false;
  };
  File& file_of(const Module& module);
  std::string source_text(const std::string& file, std::uint32_t line);

  std::vector<Module> modules_;
  std::map<std::string, File> files_;
  std::map<std::string, std::vector<std::string>> sources_;
  std::string directory_;  // the current folder, with a slash at its end
};

// Looks up all that a report on the record may mention.
Places locate(const Record& record, Symbols& symbols);

}  // namespace mazur
