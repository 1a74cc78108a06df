#include "report/findings/trace_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "report/findings/files.h"
#include "sample.h"

namespace mazur {
namespace {

std::string problem(std::string_view bytes) {
  const auto decoded = decode_trace(bytes);
  const auto* text = std::get_if<std::string>(&decoded);
  return text != nullptr ? *text : "";
}

TEST(TraceFile, RoundTrip) {
  const TraceFile file = trace_sample();
  const auto decoded = decode_trace(encode_trace(file));
  ASSERT_TRUE(std::holds_alternative<TraceFile>(decoded)) << std::get<std::string>(decoded);
  const auto& back = std::get<TraceFile>(decoded);
  EXPECT_EQ(back.program, file.program);
  EXPECT_EQ(back.program_hash, file.program_hash);
  EXPECT_EQ(back.arguments, file.arguments);
  EXPECT_EQ(back.directory, file.directory);
  EXPECT_EQ(back.recipe, file.recipe);
  EXPECT_EQ(back.algorithm, file.algorithm);
  EXPECT_EQ(back.isolation, file.isolation);
  EXPECT_EQ(back.races, file.races);
  EXPECT_EQ(back.max_steps, file.max_steps);
  EXPECT_EQ(back.finding.places, file.finding.places);
  EXPECT_EQ(encode(back.finding.record), encode(file.finding.record));
}

TEST(TraceFile, WithoutARecipe) {
  TraceFile file = trace_sample();
  file.recipe = {};
  const auto decoded = decode_trace(encode_trace(file));
  EXPECT_TRUE(std::get<TraceFile>(decoded).recipe.empty());
}

TEST(TraceFile, ForeignFilesAreNamedSo) {
  EXPECT_EQ(problem(""), "is not a trace file of Mazur");
  EXPECT_EQ(problem("\x7f"
                    "ELF"),
            "is not a trace file of Mazur");
  EXPECT_EQ(problem("mazur-trace x\n"), "is not a trace file of Mazur");
  EXPECT_EQ(problem("mazur-trace 99\n"),
            "is a trace file of version 99; this Mazur reads versions 2 to 6");
}

TEST(TraceFile, EveryTruncationIsNoticed) {
  const std::string bytes = encode_trace(trace_sample());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(problem(std::string_view(bytes).substr(0, size)), "") << size;
  EXPECT_NE(problem(bytes + "x"), "");
}

TEST(TraceFile, EveryFlippedBitIsNoticed) {
  const std::string bytes = encode_trace(trace_sample());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      // The digits of the checksum may change their case without changing their value.
      const bool same = std::tolower(damaged[i]) == std::tolower(bytes[i]);
      EXPECT_TRUE(same || !problem(damaged).empty()) << i << ' ' << bit;
    }
  }
}

// Bytes with a right checksum and wrong contents: the reader must survive what a bad writer makes.
TEST(TraceFile, MutationsWithARightChecksumNeverCrash) {
  const std::string good = encode_trace(trace_sample());
  const std::size_t body_at = good.find('\n', good.find('\n') + 1) + 1;
  std::mt19937_64 random(7);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::size_t accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string body = good.substr(body_at);
    const std::size_t edits = 1 + below(4);
    for (std::size_t edit = 0; edit < edits && !body.empty(); ++edit) {
      const std::size_t at = below(body.size());
      switch (below(4)) {
        case 0:
          body[at] = static_cast<char>(random());
          break;
        case 1:
          body.erase(at, 1 + below(8));
          break;
        case 2:
          body.insert(at, 1 + below(8), static_cast<char>(random()));
          break;
        default:
          body.resize(at);
      }
    }
    const std::string bytes = fmt::format("mazur-trace {}\n{:016x}\n", kTraceVersion,
                                          trace_checksum(kTraceVersion, body)) +
                              body;
    if (problem(bytes).empty()) ++accepted;
  }
  // Some changes are harmless (a letter in a message); most are not.
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, 10000u);
}

}  // namespace
}  // namespace mazur
