#include "machine/dlang/lexer.h"

#include <array>
#include <charconv>

namespace mazur::dlang {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::array<std::string_view, 5> kLongSymbols = {":=", "==", "!=", "<=", ">="};
constexpr std::string_view kSymbols = "<>=[]{}(),+-*/%";

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {
    if (source.size() > kMaxSource) throw SyntaxError({1, 1}, "the program is too long");
  }

  std::vector<Token> run() {
    while (skip_space(), at_ < source_.size()) {
      if (starts_with("<{"))
        repetition();
      else
        token();
    }
    Token end;
    end.at = position_;
    end.begin = end.end = static_cast<std::uint32_t>(at_);
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw SyntaxError(position_, what); }
  bool starts_with(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  char here() const { return at_ < source_.size() ? source_[at_] : '\0'; }

  void advance() {
    if (source_[at_++] == '\n') {
      ++position_.line;
      position_.column = 1;
    } else {
      ++position_.column;
    }
  }

  void skip_space() {
    for (;;) {
      if (at_ < source_.size() && is_space(source_[at_])) {
        advance();
      } else if (starts_with("//")) {
        while (at_ < source_.size() && source_[at_] != '\n') advance();
      } else {
        return;
      }
    }
  }

  // <{ n ... }>
  void repetition() {
    const Position start = position_;
    advance();
    advance();
    skip_space();
    if (!is_digit(here())) fail("a repetition block starts with how often: '<{ 3 ... }>'");
    const Token count = number();
    if (static_cast<std::uint64_t>(count.number) > kMaxRepetitions)
      throw SyntaxError(count.at, "too many repetitions: at most " +
                                      std::to_string(kMaxRepetitions) + " are possible");
    const std::size_t body = at_;
    const Position body_position = position_;
    // Once to find the end, even if the block is to be left out altogether.
    const std::size_t before = tokens_.size();
    repeated("0", start);
    const std::size_t length = at_ - body;
    if (length * static_cast<std::uint64_t>(count.number) > kMaxExpanded)
      throw SyntaxError(start, "the program is too long with its repetitions written out");
    if (count.number == 0) tokens_.resize(before);
    for (std::int64_t i = 1; i < count.number; ++i) {
      at_ = body;
      position_ = body_position;
      repeated(std::to_string(i), start);
    }
  }

  // The body of a repetition up to and including its end, with this in place of `$`.
  void repeated(std::string dollar, Position start) {
    dollar_ = std::move(dollar);
    for (;;) {
      skip_space();
      if (at_ >= source_.size())
        throw SyntaxError(start, "this repetition block has no end: '}>' is missing");
      if (starts_with("<{")) fail("a repetition block cannot be inside of another one");
      if (starts_with("}>")) break;
      token();
    }
    advance();
    advance();
    dollar_.clear();
  }

  void token() {
    if (tokens_.size() >= kMaxTokens) fail("the program is too long");
    const char c = here();
    if (is_letter(c)) {
      tokens_.push_back(name());
    } else if (is_digit(c) || c == '$') {
      tokens_.push_back(number());
    } else if (c == '"') {
      tokens_.push_back(string());
    } else {
      tokens_.push_back(symbol());
    }
  }

  Token start_of(TokenKind kind) const {
    Token token;
    token.kind = kind;
    token.at = position_;
    token.begin = static_cast<std::uint32_t>(at_);
    return token;
  }
  Token& finish(Token& token) const {
    token.end = static_cast<std::uint32_t>(at_);
    return token;
  }

  // Takes the next character, or what stands for a dollar.
  void take(std::string& to) {
    if (here() == '$') {
      if (dollar_.empty()) fail("'$' has a meaning only inside of a repetition block");
      to += dollar_;
    } else {
      to += here();
    }
    advance();
  }

  Token name() {
    Token token = start_of(TokenKind::kName);
    while (is_letter(here()) || is_digit(here()) || here() == '-' || here() == '_' || here() == '$')
      take(token.text);
    return finish(token);
  }

  Token number() {
    Token token = start_of(TokenKind::kNumber);
    while (is_digit(here()) || here() == '$') take(token.text);
    const char* end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, token.number);
    if (error != std::errc{} || stop != end)
      throw SyntaxError(token.at, "the number " + token.text + " is too large");
    if (is_letter(here()) || here() == '_')
      fail("a name starts with a letter, and a number ends where its digits end");
    return finish(token);
  }

  Token string() {
    Token token = start_of(TokenKind::kString);
    advance();
    while (at_ < source_.size() && here() != '"' && here() != '\n') {
      token.text += here();
      advance();
    }
    if (here() != '"') throw SyntaxError(token.at, "this string has no end: '\"' is missing");
    advance();
    return finish(token);
  }

  Token symbol() {
    Token token = start_of(TokenKind::kSymbol);
    if (starts_with("}>")) fail("'}>' ends a repetition block, but none was begun");
    for (const std::string_view symbol : kLongSymbols)
      if (starts_with(symbol)) token.text = symbol;
    if (token.text.empty()) {
      if (kSymbols.find(here()) == std::string_view::npos) {
        const auto byte = static_cast<unsigned char>(here());
        fail(byte >= 0x20 && byte < 0x7f ? std::string("'") + here() + "' has no meaning here"
                                         : "a character that has no meaning in a program");
      }
      token.text = here();
    }
    for (std::size_t i = 0; i < token.text.size(); ++i) advance();
    return finish(token);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  Position position_{1, 1};
  std::string dollar_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens(std::string_view source) { return Lexer(source).run(); }

std::string quoted(const Token& token) {
  constexpr std::size_t kLongest = 40;
  if (token.kind == TokenKind::kEnd) return "the end of the program";
  if (token.kind == TokenKind::kString) return "a string";
  std::string text = "'";
  text += std::string_view(token.text).substr(0, kLongest);
  text += token.text.size() > kLongest ? "...'" : "'";
  return text;
}

}  // namespace mazur::dlang
