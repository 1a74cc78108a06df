// The words of a program one after the other, and complaints about them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/dlang/lexer.h"

namespace mazur::dlang {

// Words that cannot be names.
bool is_keyword(std::string_view name);

class WordStream {
 public:
  explicit WordStream(std::string_view source) : tokens_(tokens(source)) {}

  const Token& next() const { return tokens_[at_]; }
  const Token& after_next() const { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
  const Token& previous() const { return tokens_[at_ - 1]; }
  const Token& take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }

  static bool is(const Token& token, std::string_view text) {
    return (token.kind == TokenKind::kSymbol || token.kind == TokenKind::kName) &&
           token.text == text;
  }
  bool is_next(std::string_view text) const { return is(next(), text); }
  bool accept(std::string_view text);
  const Token& expect(std::string_view text);
  // A number. If there is none, the complaint says that `what` was expected.
  std::int64_t number(std::string_view what);
  [[noreturn]] void fail(const std::string& what) const { throw SyntaxError(next().at, what); }

  // A level of parentheses, indices or blocks.
  class Level {
   public:
    explicit Level(WordStream& words) : words_(words) {
      if (++words.nesting_ > kMaxNesting) words.fail("the program is nested too deeply here");
    }
    ~Level() { --words_.nesting_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    WordStream& words_;
  };

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  unsigned nesting_ = 0;
};

}  // namespace mazur::dlang
