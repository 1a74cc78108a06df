// A start of the program that looks the same on every machine.
//
// Pieces of work that go from machine to machine, or wait for a later run, name memory by its
// address. So what a process finds must not depend on who starts it, and where. A process that is
// started here has
// - no environment, and as its own name one that everybody agrees on;
// - as many bytes on its first stack as any other, because no path in them depends on the machine:
//   the program is run through a descriptor, and its libraries are found in a folder behind another;
// - its libraries loaded without the system's cache, whose size would move them.
// What is left (another kernel, another C library) shows in where the libraries lie, which
// cli/ledger/fingerprint.h compares.
//
// All files are opened once: who replaces them later makes no difference to processes.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/build/installation.h"
#include "cli/run/temporary_folder.h"

namespace mazur {

class FixedPlace {
 public:
  // Processes see `name` as the program's name. `libraries`: the files of all libraries, each called
  // by its file name. The runtime comes from the installation. Throws UsageError.
  FixedPlace(const std::filesystem::path& program, std::string name,
             const std::vector<std::filesystem::path>& libraries, const Installation& installation);
  ~FixedPlace();
  FixedPlace(const FixedPlace&) = delete;
  FixedPlace& operator=(const FixedPlace&) = delete;

  // In a new process: becomes the program, which finds its channel behind the descriptor. Returns
  // only if that was not possible.
  void become_program(const std::vector<std::string>& arguments, int channel) const;

  // What a process calls `listed`, as it is called outside. Other paths stay as they are.
  std::string path_of(const std::string& listed) const;
  std::string listed(const std::string& path) const;  // the reverse

  // The opened files, for reading their contents: the program, and every library by its name.
  int program() const { return program_; }
  const std::map<std::string, int>& libraries() const { return opened_; }

 private:
  int opened(const std::filesystem::path& path) const;

  const TemporaryFolder folder_;  // of links to the libraries
  const std::string name_;
  int program_ = -1, folder_descriptor_ = -1;
  std::map<std::string, int> opened_;         // by the library's name
  std::map<std::string, std::string> paths_;  // the same
};

}  // namespace mazur
