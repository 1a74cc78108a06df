#include "machine/dlang/expression_parser.h"

#include <fmt/format.h>

#include <array>

#include "machine/dlang/evaluate.h"

namespace mazur::dlang {

void ExpressionParser::bool_expr(Statement& s) {
  s.left = int_expr();
  static constexpr std::array kRelations = {Relation::kLess,      Relation::kGreater,
                                            Relation::kEqual,     Relation::kNotEqual,
                                            Relation::kLessEqual, Relation::kGreaterEqual};
  for (const Relation relation : kRelations) {
    if (!words_.accept(symbol(relation))) continue;
    s.relation = relation;
    s.right = int_expr();
    return;
  }
  words_.fail(fmt::format("a comparison (<, >, ==, !=, <=, >=) is missing before {}",
                          quoted(words_.next())));
}

// All operators bind equally and from left to right: Figure A.1 has one rule for all of them.
Expression ExpressionParser::int_expr() {
  Expression e;
  e.begin = static_cast<std::uint32_t>(program_.nodes.size());
  operand();
  while (words_.next().kind == TokenKind::kSymbol && words_.next().text.size() == 1) {
    const std::size_t op = std::string_view("+-*/%").find(words_.next().text[0]);
    if (op == std::string_view::npos) break;
    const Position at = words_.take().at;
    operand();
    static constexpr std::array kOperators = {NodeKind::kAdd, NodeKind::kSub, NodeKind::kMul,
                                              NodeKind::kDiv, NodeKind::kMod};
    binary(e.begin, kOperators[op], at);
  }
  e.end = static_cast<std::uint32_t>(program_.nodes.size());
  return e;
}

// Puts the operator after its operands, or works it out.
void ExpressionParser::binary(std::uint32_t begin, NodeKind op, Position at) {
  std::vector<Node>& nodes = program_.nodes;
  const std::size_t size = nodes.size();
  if (size - begin == 2 && nodes[size - 1].kind == NodeKind::kConstant &&
      nodes[size - 2].kind == NodeKind::kConstant &&
      (nodes[size - 1].value != 0 || (op != NodeKind::kDiv && op != NodeKind::kMod))) {
    nodes[size - 2].value = calculate(op, nodes[size - 2].value, nodes[size - 1].value);
    nodes.pop_back();
    return;
  }
  nodes.push_back({.kind = op, .indexed = false, .array = 0, .value = 0, .at = at});
}

void ExpressionParser::constant(std::int64_t value, Position at) {
  program_.nodes.push_back(
      {.kind = NodeKind::kConstant, .indexed = false, .array = 0, .value = value, .at = at});
}

void ExpressionParser::operand() {
  const Token& token = words_.next();
  if (token.kind == TokenKind::kNumber) {
    constant(token.number, token.at);
    words_.take();
  } else if (words_.is_next("(")) {
    const WordStream::Level level(words_);
    words_.take();
    int_expr();
    words_.expect(")");
  } else if (words_.is_next("-")) {
    const WordStream::Level level(words_);
    const Position at = words_.take().at;
    const auto begin = static_cast<std::uint32_t>(program_.nodes.size());
    constant(0, at);
    operand();
    binary(begin, NodeKind::kSub, at);
  } else if (token.kind == TokenKind::kName) {
    element();
  } else {
    words_.fail(fmt::format("a value is missing before {}", quoted(token)));
  }
}

// A variable or an element of an array, as a value.
void ExpressionParser::element() {
  const Token token = words_.next();
  const Place place = reference(token);
  const Array& array = program_.arrays[place.array];
  if (array.storage == Storage::kMutex)
    throw SyntaxError(token.at, fmt::format("{} is a mutex and has no value", quoted(token)));
  if (array.storage == Storage::kConst && place.index.empty())
    return constant(array.initial[place.element], token.at);
  program_.nodes.push_back({.kind = NodeKind::kElement,
                            .indexed = !place.index.empty(),
                            .array = place.array,
                            .value = place.element,
                            .at = token.at});
}

Place ExpressionParser::asgn_target() {
  const Token token = words_.next();
  const Place place = reference(token);
  const Array& array = program_.arrays[place.array];
  if (array.storage == Storage::kConst)
    throw SyntaxError(token.at, fmt::format("{} is const and cannot be assigned", quoted(token)));
  if (array.storage == Storage::kMutex)
    throw SyntaxError(token.at, fmt::format("{} is a mutex and cannot be assigned", quoted(token)));
  if (array.storage == Storage::kGlobal) program_.sites.back().written = true;
  return place;
}

// A name, with its index if it has one; a site if it is global.
Place ExpressionParser::reference(const Token& token) {
  Place place = variable();
  const std::size_t sites = program_.sites.size();
  if (words_.is_next("["))
    index(place);
  else
    require_single(place, token);
  if (program_.arrays[place.array].storage == Storage::kGlobal)
    program_.sites.push_back({place, false, program_.sites.size() > sites});
  return place;
}

void ExpressionParser::require_single(const Place& place, const Token& token) const {
  const Array& array = program_.arrays[place.array];
  if (array.length != 1)
    throw SyntaxError(token.at, fmt::format("{} has {} elements: say which, as in '{}[0]'",
                                            quoted(token), array.length, array.name));
}

Place ExpressionParser::variable() {
  const Token& token = words_.next();
  if (token.kind != TokenKind::kName)
    words_.fail(fmt::format("a variable is missing before {}", quoted(token)));
  const auto found = names_.find(token.text);
  if (found == names_.end()) {
    std::string_view hint;
    if (token.text.find('-') != std::string::npos)
      hint = " (a name may contain '-': write spaces around an operator)";
    if (is_keyword(token.text)) hint = " (it is a word of the language)";
    words_.fail(fmt::format("there is no variable {}{}", quoted(token), hint));
  }
  Place place;
  place.array = found->second;
  place.at = token.at;
  words_.take();
  return place;
}

void ExpressionParser::index(Place& place) {
  const WordStream::Level level(words_);
  const Position at = words_.expect("[").at;
  const Expression e = int_expr();
  words_.expect("]");
  if (e.end - e.begin != 1 || program_.nodes[e.begin].kind != NodeKind::kConstant) {
    place.index = e;
    return;
  }
  const std::int64_t value = program_.nodes[e.begin].value;
  program_.nodes.pop_back();
  if (value < 0 || value >= program_.arrays[place.array].length) {
    const Fault fault{Fault::Kind::kIndex, at, place.array, value};
    throw SyntaxError(at, fault.describe(program_));
  }
  place.element = static_cast<std::uint32_t>(value);
}

}  // namespace mazur::dlang
