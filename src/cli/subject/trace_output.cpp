#include "cli/subject/trace_output.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/hash.h"
#include "report/findings/files.h"
#include "report/findings/trace_file.h"

namespace mazur {

void write_traces(Result& result, const CheckOptions& options, const Subject& subject,
                  const std::vector<std::string>& arguments, const std::string& prefix) {
  const auto bytes = read_file(subject.program);
  TraceFile file;
  file.recipe = subject.recipe;
  file.program =
      subject.recipe.empty() ? subject.program.string() : subject.program.filename().string();
  file.program_hash = bytes ? fnv1a(*bytes) : 0;
  file.arguments = arguments;
  file.directory = std::filesystem::current_path().string();
  file.algorithm = result.algorithm;
  file.isolation = options.request.isolation;
  file.memory = options.request.explorer.memory;
  file.races = options.request.races;
  file.loops_wait = options.request.watch_loops != 0;
  file.max_steps = options.request.bounds.max_steps;
  file.suppressions = options.request.suppressions;
  file.timeouts = options.request.timeouts;
  file.nondet_given = options.request.nondet_given != 0;
  file.nondet_lowest = options.request.nondet_lowest;
  file.nondet_highest = options.request.nondet_highest;
  file.property = options.request.property;
  file.property_function = options.request.property_function;
  file.failed_checks = options.request.failed_checks != 0;
  const std::filesystem::path folder = options.trace_dir;
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const std::string name = (folder / fmt::format("{}-{}.trace", prefix, i + 1)).string();
    file.finding = result.findings[i];
    if (write_file(name, encode_trace(file))) {
      result.findings[i].trace = name;
    } else {
      fmt::print(stderr, "mazur: the trace file '{}' could not be written.\n", name);
    }
  }
}

std::string trace_prefix(const CheckOptions& options, const Subject& subject) {
  return !options.trace_prefix.empty() ? options.trace_prefix
         : options.model.empty()       ? subject.program.filename().string()
                                       : subject.program.stem().string();
}

}  // namespace mazur
