// Inputs for channel.cpp, made from trace files: what a program would have reported, as bytes of today. So the
// corpus need not be written again whenever a record gets another field.
//
//   channel_inputs FOLDER INPUT...
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>

#include "protocol/channel.h"
#include "protocol/record.h"
#include "report/findings/trace_file.h"
#include "trace_input.h"

namespace {

using namespace mazur;

template <typename Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

// The record in an input of the corpus of trace files, whatever its version, as it is encoded today.
std::string record_of(const std::string& input) {
  for (unsigned version = kTraceVersion; version >= kOldestTraceVersion; --version) {
    const auto trace = decode_trace(trace_of_input(input, version));
    if (const TraceFile* file = std::get_if<TraceFile>(&trace)) return encode(file->finding.record);
  }
  return "";
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  int made = 0;
  for (int i = 2; i < count; ++i) {
    std::ifstream in(arguments[i], std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const std::string record = record_of(text);
    if (record.empty()) continue;  // it is wrong on purpose
    constexpr std::uint16_t kStatus = 0;
    constexpr Phase kEnded = Phase::kDone;
    std::ofstream out(folder / std::filesystem::path(arguments[i]).filename(), std::ios::binary);
    out << bytes_of(kStatus) << bytes_of(std::uint16_t{sizeof kEnded}) << bytes_of(kEnded)
        << bytes_of(std::uint64_t{record.size()}) << record;
    if (out) ++made;
  }
  std::printf("%d inputs\n", made);
  return made > 0 ? 0 : 1;
}
