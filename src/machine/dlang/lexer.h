// The words of a dlang program, with repetition blocks written out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/dlang/program.h"

namespace mazur::dlang {

enum class TokenKind : std::uint8_t {
  kEnd,
  kName,
  kNumber,
  kString,
  kSymbol,  // < > <= >= == != := = [ ] { } ( ) , + - * / %
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // a string has no quotes here
  std::int64_t number = 0;
  Position at;
  std::uint32_t begin = 0, end = 0;  // in the source
};

// Splits the text into words; the last one is a kEnd. `<{ n ... }>` stands for n copies of what is
// in it, with the numbers from 0 on in place of `$`. As in the thesis, this is done before anything
// else, so that `x$` is a name and `1$` a number. Throws SyntaxError.
std::vector<Token> tokens(std::string_view source);

// How a message mentions it: "'x'", "the end of the program".
std::string quoted(const Token& token);

}  // namespace mazur::dlang
