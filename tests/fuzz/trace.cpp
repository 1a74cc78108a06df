// Any trace file: it is refused with a sentence, or it can be shown, and replaying it is planned or
// refused with a sentence. Nothing is run. trace_input.h says what the input is.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "cli/build/rebuild.h"
#include "cli/usage.h"
#include "printed.h"
#include "report/findings/trace_file.h"
#include "report/orders/order_advice.h"
#include "trace/atomic_block/block.h"
#include "trace_input.h"

namespace {

using namespace mazur;

// A compiler by its name, and none of the ways to make it run something else.
void require_harmless(const std::vector<std::string>& command) {
  if (command[0] != "gcc" && command[0] != "g++" && command[0] != "clang" &&
      command[0] != "clang++")
    std::abort();
  for (const std::string& word : command)
    for (const char* bad : {"@", "-fplugin", "-wrapper", "-specs", "--specs", "-B", "-Xclang",
                            "-Wl,-plugin", "-Wl,--plugin", "-Wl,-T", "-fuse-ld=/"})
      if (word.starts_with(bad) && !word.starts_with("@OUT@/")) std::abort();
}

int show_and_plan(const std::string& bytes) {
  const auto decoded = decode_trace(bytes);
  const auto* file = std::get_if<TraceFile>(&decoded);
  if (file == nullptr) return 0;
  Result result;
  result.findings.push_back(file->finding);
  result.memory = MemoryModel::kCpp20;
  advise_on_orders(result);
  print_in_all_ways(result);
  try {
    const ReplayPlan plan =
        plan_replay(*file, "x.trace", {"/usr/bin/mazur", "/usr/lib/mazur", "/usr/include"});
    for (const auto& command : plan.build.compile) require_harmless(command);
    if (!plan.build.empty()) require_harmless(plan.build.link);
    // Nothing lies in the folder where this runs, so nothing may go without a question.
    if (plan.doubts.empty()) std::abort();
    try {
      require_consent(plan, "x.trace", false);
      std::abort();
    } catch (const UsageError&) {
    }
  } catch (const UsageError& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  return 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  int accepted = show_and_plan(input);
  for (unsigned version = kOldestTraceVersion; version <= kTraceVersion; ++version)
    accepted |= show_and_plan(trace_of_input(input, version));
  block_table = BlockTable();
  return accepted;
}
