// Any bytes in the block that the program under test shares with mazur. The input is: the wait
// status and the size of the first part (two bytes each), the first part, which is written over the
// fields from `phase` on, and the log.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cli/result/findings.h"
#include "cli/run/channel_block.h"
#include "cli/run/program_run.h"
#include "cli/usage.h"
#include "printed.h"
#include "trace/atomic_block/block.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mazur;
  static const ChannelBlock block({}, "");
  static const Channel* const fresh = new Channel;
  if (size < 4) return 0;
  std::uint16_t numbers[2];
  std::memcpy(numbers, data, sizeof numbers);
  data += sizeof numbers;
  size -= sizeof numbers;

  char* const bytes = reinterpret_cast<char*>(&*block);
  const auto begin = reinterpret_cast<char*>(&block->phase) - bytes;
  const std::size_t fields = sizeof(Channel) - static_cast<std::size_t>(begin);
  const std::size_t first = std::min({std::size_t{numbers[1]}, size, fields});
  const std::size_t log = std::min<std::size_t>(size - first, Channel::kLogSize);
  block->log_size = log;  // unless the first part says something else
  std::memcpy(bytes + begin, data, first);
  std::memcpy(bytes + kChannelHeader, data + first, log);

  ProgramRun run;
  run.program = "/nowhere/program";
  int accepted = 0;
  try {
    ProgramEnd end = read_end(block, run, numbers[0], 1);
    const Result result = make_result(end, "optimal");
    print_in_all_ways(result);
    accepted = result.findings.empty() ? 0 : 1;
  } catch (const UsageError&) {
  }
  std::memcpy(bytes + begin, reinterpret_cast<const char*>(fresh) + begin,
              std::min(fields, first + 4096));
  block->log_size = 0;
  std::memset(bytes + kChannelHeader, 0, log);
  block_table = BlockTable();
  return accepted;
}
