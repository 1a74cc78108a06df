#include "cli/crew/shortening.h"

#include <chrono>
#include <utility>

#include "cli/run/interrupts.h"

namespace mazur {
namespace {

using Clock = std::chrono::steady_clock;

Record shortened(const ProgramRun& run, const Installation& installation, Record record) {
  ProgramRun again = run;
  again.request.shorten = 1;
  again.request.worker = 0;
  again.request.list_modules = 0;
  again.request.bounds.time_limit = 0;
  again.progress = Progress::kNone;
  again.replay = encode(record);
  ProgramEnd end = run_program(again, installation);
  if (end.verdict != Verdict::kBug || end.records.empty() ||
      end.records.front().kind != record.kind)
    return record;
  Record shorter = std::move(end.records.front());
  shorter.execution = record.execution;
  shorter.count = record.count;
  return shorter;
}

}  // namespace

void shorten(std::vector<Record>& records, const ProgramRun& run,
             const Installation& installation) {
  if (run.request.minimise <= 0) return;
  double left = 4;  // as MinimisingTime has it
  for (Record& record : records) {
    if (ends_exploration(record.kind) || left <= 0 || interrupts() > 0) continue;
    const Clock::time_point begin = Clock::now();
    record = shortened(run, installation, std::move(record));
    left -= std::chrono::duration<double>(Clock::now() - begin).count();
  }
}

}  // namespace mazur
