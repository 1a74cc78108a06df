// Inputs of the corpus of trace files: the header, a zero byte, and the record. No fuzzer would guess the sizes and the
// checksum, so they are added here.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "report/findings/trace_file.h"

namespace mazur {

// The trace file of this version that an input stands for.
inline std::string trace_of_input(const std::string& input, unsigned version) {
  const std::size_t zero = std::min(input.find('\0'), input.size());
  const std::string header = input.substr(0, zero);
  const std::string record = zero < input.size() ? input.substr(zero + 1) : "";
  const std::string body = fmt::format("{} {}\n", header.size(), record.size()) + header + record;
  return fmt::format("mazur-trace {}\n{:016x}\n", version, trace_checksum(version, body)) + body;
}

}  // namespace mazur
