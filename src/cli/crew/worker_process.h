// A checked process that explores one piece after the other (protocol/slice.h), from mazur's side.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

#include "cli/build/installation.h"
#include "cli/run/channel_block.h"
#include "cli/run/loaded_modules.h"
#include "cli/run/program_run.h"

namespace mazur {

class WorkerProcess {
 public:
  // Starts it. All of it must be used by one thread, but for ask_for_pieces(). Throws UsageError.
  WorkerProcess(const ProgramRun& run, const Installation& installation);
  ~WorkerProcess();  // ends it if need be
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  const ChannelBlock& channel() const { return channel_; }

  // Waits a moment.
  enum class State { kBusy, kWantsWork, kEnded };
  State wait();
  void offer(const Offer& work);
  // Whoever has nothing to do asks a busy worker to give away what is left of its piece.
  void ask_for_pieces(std::uint32_t parts) const { channel_->parts = parts; }
  void stop() const { channel_->stop = 1; }
  void kill() const;

  // What is loaded into it, once it has wanted work.
  std::vector<CheckedModule> modules() const { return modules_.result(); }

  // Of one that has ended.
  bool was_killed() const;
  std::uint64_t peak_rss_kb() const { return peak_rss_kb_; }
  // What it says when it has ended: there was no more work, or it has died. `stopped`: by us.
  ProgramEnd end(bool stopped) const;

 private:
  const ProgramRun run_;
  const ChannelBlock channel_;
  LoadedModules modules_;
  pid_t child_ = -1;
  bool reaped_ = false;
  int status_ = 0;
  std::uint64_t peak_rss_kb_ = 0;
};

}  // namespace mazur
