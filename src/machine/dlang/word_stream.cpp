#include "machine/dlang/word_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mazur::dlang {
namespace {

constexpr std::array<std::string_view, 13> kKeywords = {
    "local", "const",     "mutex",   "if",     "then", "else",  "while",
    "await", "comp_swap", "indexer", "assert", "lock", "unlock"};

}  // namespace

bool is_keyword(std::string_view name) {
  return std::find(kKeywords.begin(), kKeywords.end(), name) != kKeywords.end();
}

bool WordStream::accept(std::string_view text) {
  if (!is_next(text)) return false;
  take();
  return true;
}

const Token& WordStream::expect(std::string_view text) {
  if (!is_next(text)) fail(fmt::format("'{}' is missing before {}", text, quoted(next())));
  return take();
}

std::int64_t WordStream::number(std::string_view what) {
  if (next().kind != TokenKind::kNumber)
    fail(fmt::format("{} must be a number, not {}", what, quoted(next())));
  return take().number;
}

}  // namespace mazur::dlang
