#include "explore/walks/numbered.h"

#include <algorithm>

#include "base/archive.h"

namespace mazur {
namespace {

// No piece of another explorer begins with it.
constexpr std::uint32_t kFormat = 0x776c6b31;

// A piece says whose it is.
struct Piece {
  std::string walk;
  std::uint64_t seed = 0;
  std::uint32_t depth = 0;
  NumberedRange range;
};

constexpr auto piece_fields = [](auto& archive, auto& piece) {
  archive.text(piece.walk);
  archive.number(piece.seed);
  archive.number(piece.depth);
  archive.number(piece.range.next);
  archive.number(piece.range.end);
  archive.number(piece.range.longest);
};

}  // namespace

std::vector<NumberedRange> parts_of(const NumberedRange& range, std::size_t parts) {
  constexpr std::uint64_t kFewest = 16;
  const std::uint64_t left = range.end - range.next;
  const std::uint64_t n = std::clamp<std::uint64_t>(parts, 1, left);
  std::vector<NumberedRange> all;
  NumberedRange rest = range;
  for (std::uint64_t i = n; i > 1; --i) {
    std::uint64_t size = (rest.end - rest.next) / i;
    if (range.is_endless()) size = std::min(size, std::max(kFewest, range.next / n));
    NumberedRange& part = all.emplace_back(rest);
    rest.next = part.end = part.next + size;
  }
  all.push_back(rest);
  return all;
}

NumberedWalk::NumberedWalk(std::string_view name, const ExplorerOptions& options)
    : name_(name), seed_(options.seed), depth_(options.pct_depth) {
  if (options.executions != 0) range_.end = options.executions;
}

bool NumberedWalk::plan(const Trace& trace, const Frontier&, End) {
  note(trace, range_);
  if (++range_.next == range_.end) return false;
  begin();
  return true;
}

std::vector<std::string> NumberedWalk::divide(std::size_t parts) {
  std::vector<std::string> pieces;
  for (const NumberedRange& part : parts_of(range_, still_learns() ? 1 : parts)) {
    const Piece piece{std::string(name_), seed_, depth_, part};
    Writer writer;
    writer.number(kFormat);
    piece_fields(writer, piece);
    pieces.push_back(writer.take());
  }
  range_.next = range_.end;
  return pieces;
}

bool NumberedWalk::take(std::span<const char> bytes) {
  Reader reader(bytes);
  std::uint32_t format = 0;
  Piece piece;
  reader.number(format);
  reader.must(format == kFormat);
  piece_fields(reader, piece);
  reader.must(piece.walk == name_ && piece.seed == seed_ && piece.depth == depth_);
  reader.must(piece.range.next < piece.range.end);
  if (!reader.done()) return false;
  range_ = piece.range;
  begin();
  return true;
}

}  // namespace mazur
