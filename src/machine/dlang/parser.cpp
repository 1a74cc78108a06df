#include "machine/dlang/parser.h"

#include <fmt/format.h>

#include "machine/dlang/statement_parser.h"

namespace mazur::dlang {
namespace {

// The outer rules of Figure A.1 of the thesis: program, declaration_list, process_block.
class Parser {
 public:
  explicit Parser(std::string_view source) : words_(source) { program_.source = source; }

  Program run() {
    const Position count_at = declaration_list();
    while (words_.next().kind != TokenKind::kEnd) process_block();
    if (program_.processes.size() != process_count_)
      throw SyntaxError(count_at,
                        fmt::format("the program is said to have {} processes, but has {}",
                                    process_count_, program_.processes.size()));
    return std::move(program_);
  }

 private:
  Position declaration_list() {
    words_.expect("<");
    if (words_.next().kind == TokenKind::kString) program_.name = words_.take().text;
    const Position at = words_.next().at;
    const std::int64_t count = words_.number("the number of processes");
    if (count < 1) throw SyntaxError(at, "a program has at least one process");
    if (static_cast<std::uint64_t>(count) > kMaxThreads)
      throw SyntaxError(at, fmt::format("there can be at most {} processes", kMaxThreads));
    process_count_ = static_cast<std::size_t>(count);
    while (words_.accept(",")) {
      if (words_.is_next(">")) break;
      declaration();
    }
    words_.expect(">");
    return at;
  }

  void declaration() {
    Array array;
    if (words_.accept("local"))
      array.storage = Storage::kLocal;
    else if (words_.accept("const"))
      array.storage = Storage::kConst;
    else if (words_.accept("mutex"))
      array.storage = Storage::kMutex;
    const Token& name = words_.next();
    if (name.kind != TokenKind::kName)
      words_.fail(fmt::format("a name is missing before {}", quoted(name)));
    if (is_keyword(name.text))
      words_.fail(fmt::format("{} is a word of the language and no name", quoted(name)));
    array.at = name.at;
    array.name = words_.take().text;
    if (!expressions_.declare(array.name))
      throw SyntaxError(array.at, fmt::format("'{}' is declared twice", array.name));
    const Position length_at = words_.next().at;
    const std::int64_t length = words_.number(fmt::format("the length of '{}'", array.name));
    if (length < 1)
      throw SyntaxError(length_at, fmt::format("'{}' needs at least one element", array.name));
    // The length alone first: the sum could overflow.
    if (static_cast<std::uint64_t>(length) <= kMaxElements)
      elements_ += static_cast<std::uint64_t>(length);
    if (static_cast<std::uint64_t>(length) > kMaxElements || elements_ > kMaxElements)
      throw SyntaxError(length_at, fmt::format("there can be at most {} elements of all variables",
                                               kMaxElements));
    array.length = static_cast<std::uint32_t>(length);
    init_values(array);
    std::uint32_t& used = array.storage == Storage::kGlobal  ? program_.globals
                          : array.storage == Storage::kLocal ? program_.locals
                          : array.storage == Storage::kMutex ? program_.mutexes
                                                             : constants_;
    array.base = used;
    used += array.length;
    program_.arrays.push_back(std::move(array));
  }

  void init_values(Array& array) {
    while (words_.next().kind == TokenKind::kNumber || words_.is_next("-")) {
      if (array.storage == Storage::kMutex) words_.fail("a mutex has no value to begin with");
      if (array.initial.size() == array.length)
        words_.fail(fmt::format("'{}' has more values than elements", array.name));
      const bool negative = words_.accept("-");
      const std::int64_t value = words_.number("a value to begin with");
      array.initial.push_back(negative ? -value : value);
    }
    array.initial.resize(array.length);
  }

  void process_block() {
    const Position at = words_.expect("[").at;
    if (program_.processes.size() == process_count_)
      throw SyntaxError(
          at, fmt::format("there are more processes than the {} announced", process_count_));
    program_.processes.push_back({{}, at});
    statements_.block("]");
  }

  Program program_;
  WordStream words_;
  ExpressionParser expressions_{program_, words_};
  StatementParser statements_{program_, words_, expressions_};
  std::size_t process_count_ = 0;
  std::uint64_t elements_ = 0;
  std::uint32_t constants_ = 0;
};

}  // namespace

Program parse(std::string_view source) { return Parser(source).run(); }

}  // namespace mazur::dlang
