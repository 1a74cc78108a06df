// mazur's side of the list of modules: which files are loaded into the program, of what class they
// are, and which code of them the runtime is to watch.
#pragma once

#include <string>
#include <vector>

#include "cli/run/channel_block.h"
#include "modules/checked_module.h"

namespace mazur {

struct ProgramRun;

class LoadedModules {
 public:
  // The run must live as long.
  LoadedModules(const ChannelBlock& channel, const ProgramRun& run);

  // Answers as soon as the program has listed its modules; waits for that, but only a moment.
  // Returns whether nothing is left to answer.
  bool answer();

  bool answered() const { return answered_; }
  // With what the runtime has noted since the answer.
  std::vector<CheckedModule> result() const;

 private:
  CheckedModule examine(std::uint32_t n) const;

  const ChannelBlock& channel_;
  const ProgramRun& run_;
  bool answered_ = false;
  std::vector<CheckedModule> modules_;
};

// What other processes with this program have noted: their modules are here, too, or they come to
// the end of the list.
void note_called(std::vector<CheckedModule>& modules, const std::vector<CalledModule>& called,
                 const std::string& program);

}  // namespace mazur
