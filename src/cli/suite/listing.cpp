#include "cli/suite/listing.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/run/process.h"
#include "cli/run/program_run.h"
#include "cli/usage.h"

namespace mazur {
namespace {

constexpr double kPatience = 60;  // seconds; who takes longer runs its tests, or does not end

constexpr std::size_t kMostText = 1 << 20;  // what is kept of a program's output

// A file in memory that the program's output goes to.
class OutputFile {
 public:
  OutputFile() : descriptor_(memfd_create("mazur-listing", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw UsageError("there is no memory for what the program prints.");
  }
  ~OutputFile() { close(descriptor_); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string all;
    char buffer[4096];
    for (ssize_t got;
         (got = pread(descriptor_, buffer, sizeof buffer, static_cast<off_t>(all.size()))) > 0;)
      all.append(buffer, static_cast<std::size_t>(got));
    return all;
  }

 private:
  int descriptor_;
};

}  // namespace

std::vector<TestCase> listed_cases(const Framework& framework, const std::filesystem::path& program,
                                   const std::vector<std::string>& arguments,
                                   const Installation& installation) {
  const OutputFile output;
  ProgramRun run;
  run.program = program;
  run.arguments = with_words(arguments, framework.listing);
  run.output = output.descriptor();
  run.request.show_output = 1;
  run.request.races = Races::kIgnore;
  run.request.minimise = 0;
  run.request.bounds.max_executions = 1;
  run.request.bounds.time_limit = kPatience;
  const ProgramEnd end = run_program(run, installation);
  const std::string text = output.text();
  if (text.size() >= kMostText)
    throw UsageError(
        fmt::format("'{}' lists more than Mazur reads: choose cases with arguments after --.",
                    program.filename().string()));
  std::vector<TestCase> cases = framework.cases_in(text, arguments);
  if (!cases.empty()) return cases;
  std::string why = end.reason;
  if (!end.records.empty()) why = end.records.front().message.text;
  throw UsageError(fmt::format(
      "'{}' has {}, but lists no test cases with '{}'{}; 'mazur check' shows what it does.",
      program.filename().string(), framework.name, shell_quoted(framework.listing),
      end.verdict == Verdict::kVerified || why.empty() ? "" : fmt::format(" ({})", why)));
}

}  // namespace mazur
