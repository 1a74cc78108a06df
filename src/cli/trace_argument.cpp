#include "cli/trace_argument.h"

#include <fmt/format.h>

#include <filesystem>

#include "report/findings/files.h"

namespace mazur {

std::string only_trace_argument(std::string_view command, const Words& words) {
  if (words.words.size() != 1 || !words.after.empty())
    throw UsageError(fmt::format("'mazur {}' takes one trace file.", command));
  return words.words.front();
}

TraceFile read_trace_argument(const std::string& name) {
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    throw UsageError(fmt::format("there is no file '{}'.", name));
  const auto bytes = read_file(name);
  if (!bytes) throw UsageError(fmt::format("the file '{}' cannot be read, or is too large.", name));
  auto decoded = decode_trace(*bytes);
  if (const auto* problem = std::get_if<std::string>(&decoded))
    throw UsageError(fmt::format("'{}' {}.", name, *problem));
  return std::get<TraceFile>(std::move(decoded));
}

}  // namespace mazur
