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
  std::string text;  // of a string: without its quotes
  std::int64_t number = 0;
  Position at;
  std::uint32_t begin = 0, end = 0;  // in the source
};

// `<{ n ... }>` is n times what is in it, each time with another number in place of `$`, from 0; as
// in the thesis this is done before anything else, so that `x$` is a name and `1$` a number. Ends
// with a kEnd. Throws SyntaxError.
std::vector<Token> tokens(std::string_view source);

// How a message mentions it: "'x'", "the end of the program".
std::string quoted(const Token& token);

}  // namespace mazur::dlang
