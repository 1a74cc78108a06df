#include "machine/dlang/statement_parser.h"

#include <fmt/format.h>

#include <utility>

namespace mazur::dlang {
namespace {

// The relation with its sides exchanged.
Relation mirrored(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return Relation::kGreater;
    case Relation::kGreater:
      return Relation::kLess;
    case Relation::kLessEqual:
      return Relation::kGreaterEqual;
    case Relation::kGreaterEqual:
      return Relation::kLessEqual;
    default:
      return relation;
  }
}

}  // namespace

void StatementParser::block(std::string_view end) {
  while (!words_.is_next(end)) {
    if (words_.next().kind == TokenKind::kEnd)
      words_.fail(fmt::format("'{}' is missing at the end of the program", end));
    statement();
  }
  words_.take();
}

void StatementParser::braces() {
  const WordStream::Level level(words_);
  words_.expect("{");
  block("}");
}

Statement StatementParser::begin(StatementKind kind) const {
  Statement s;
  s.kind = kind;
  s.at = words_.next().at;
  s.first_site = static_cast<std::uint32_t>(program_.sites.size());
  return s;
}

// Adds the statement and returns its number.
std::size_t StatementParser::finish(Statement s) {
  s.last_site = static_cast<std::uint32_t>(program_.sites.size());
  for (std::uint32_t i = s.first_site; i < s.last_site; ++i)
    (program_.sites[i].written ? s.writes : s.reads) = true;
  s.plain = s.last_site - s.first_site == 1 && s.writes;
  code().push_back(s);
  return code().size() - 1;
}

void StatementParser::statement() {
  const Token& token = words_.next();
  const std::string_view word = token.kind == TokenKind::kName ? token.text : std::string_view();
  if (word == "if") return conditional();
  if (word == "while") return loop();
  if (word == "comp_swap") return comp_swap();
  if (word == "indexer") return indexer();
  if (word == "assert") return assertion();
  if (word == "await") return await();
  if (word == "lock" || word == "unlock") return mutex_statement();
  if (word.empty() || is_keyword(word))
    words_.fail(fmt::format("a statement cannot start with {}", quoted(token)));
  assignment();
}

void StatementParser::conditional() {
  Statement test = begin(StatementKind::kTest);
  words_.take();
  expressions_.bool_expr(test);
  const std::size_t at = finish(test);
  code()[at].jump = here();
  if (!words_.accept("then")) return;
  braces();
  code()[at].jump = here();
  if (!words_.accept("else")) return;
  const std::size_t jump = finish(begin(StatementKind::kJump));
  code()[at].jump = here();
  braces();
  code()[jump].jump = here();
}

void StatementParser::loop() {
  const std::uint32_t start = here();
  Statement test = begin(StatementKind::kTest);
  words_.take();
  expressions_.bool_expr(test);
  const std::size_t at = finish(test);
  braces();
  Statement back = begin(StatementKind::kJump);
  back.jump = start;
  back.at = code()[at].at;
  finish(back);
  code()[at].jump = here();
}

void StatementParser::assignment() {
  Statement s = begin(StatementKind::kAssign);
  s.target = expressions_.asgn_target();
  words_.expect(":=");
  if (words_.is_next("comp_swap")) {
    s.kind = StatementKind::kCas;
    s.has_result = true;
    s.result = s.target;
    comp_swap_arguments(s);
  } else {
    s.left = expressions_.int_expr();
  }
  finish(s);
}

void StatementParser::comp_swap() {
  Statement s = begin(StatementKind::kCas);
  comp_swap_arguments(s);
  finish(s);
}

// comp_swap(target, expected, new)
void StatementParser::comp_swap_arguments(Statement& s) {
  words_.take();
  words_.expect("(");
  s.target = expressions_.asgn_target();
  words_.expect(",");
  s.left = expressions_.int_expr();
  words_.expect(",");
  s.right = expressions_.int_expr();
  words_.expect(")");
}

// The names before `=` are those of Figure A.1; they may be left out.
void StatementParser::label(std::string_view name) {
  if (!WordStream::is(words_.after_next(), "=")) return;
  words_.expect(name);
  words_.take();
}

Place StatementParser::indexer_variable(std::string_view name, bool assigned) {
  label(name);
  const Token token = words_.next();
  const Place place = expressions_.variable();
  const Array& array = program_.arrays[place.array];
  if (array.storage != Storage::kLocal && (array.storage != Storage::kConst || assigned))
    throw SyntaxError(token.at, fmt::format("{} must be {} here", quoted(token),
                                            assigned ? "a local variable" : "local or const"));
  if (array.length != 1)
    throw SyntaxError(token.at, fmt::format("{} must not be an array here", quoted(token)));
  words_.expect(",");
  return place;
}

// indexer(max, size, m, w, h, target, nprocs)
void StatementParser::indexer() {
  Statement s = begin(StatementKind::kIndexer);
  words_.take();
  IndexerNames names;
  words_.expect("(");
  names.max = indexer_variable("max", false);
  names.size = indexer_variable("size", false);
  names.m = indexer_variable("m", true);
  names.w = indexer_variable("w", true);
  names.h = indexer_variable("h", true);
  label("target");
  const Token target = words_.next();
  s.target = expressions_.variable();
  if (program_.arrays[s.target.array].storage != Storage::kGlobal)
    throw SyntaxError(target.at, fmt::format("{} must be a global array here", quoted(target)));
  if (words_.is_next("[")) {
    expressions_.index(s.target);
  } else {
    // The element that h says.
    s.target.index.begin = static_cast<std::uint32_t>(program_.nodes.size());
    program_.nodes.push_back({.kind = NodeKind::kElement,
                              .indexed = false,
                              .array = names.h.array,
                              .value = 0,
                              .at = target.at});
    s.target.index.end = s.target.index.begin + 1;
  }
  if (program_.sites.size() != s.first_site)
    throw SyntaxError(target.at, "the index of the indexer's table must not use global variables");
  program_.sites.push_back({s.target, true, false});
  words_.expect(",");
  label("nprocs");
  names.factor = words_.number("the last value of an indexer");
  words_.expect(")");
  s.extra = static_cast<std::uint32_t>(program_.indexers.size());
  program_.indexers.push_back(names);
  finish(s);
}

void StatementParser::assertion() {
  Statement s = begin(StatementKind::kAssert);
  words_.take();
  s.text_begin = words_.next().begin;
  expressions_.bool_expr(s);
  s.text_end = words_.previous().end;
  finish(s);
}

void StatementParser::await() {
  Statement s = begin(StatementKind::kAwait);
  words_.take();
  const Position at = words_.next().at;
  expressions_.bool_expr(s);
  const bool one = program_.sites.size() - s.first_site == 1;
  const auto is_element = [this](Expression e) {
    const Node& last = program_.nodes[e.end - 1];
    return last.kind == NodeKind::kElement && (last.indexed || e.end - e.begin == 1) &&
           program_.arrays[last.array].storage == Storage::kGlobal;
  };
  const bool left = one && is_element(s.left);
  const bool right = one && is_element(s.right);
  if (left == right)
    throw SyntaxError(
        at, "an await compares one global variable with a local value, as in 'await x == 1'");
  if (right) {
    std::swap(s.left, s.right);
    s.relation = mirrored(s.relation);
  }
  s.target = program_.sites.back().place;
  finish(s);
}

void StatementParser::mutex_statement() {
  Statement s = begin(words_.is_next("lock") ? StatementKind::kLock : StatementKind::kUnlock);
  words_.take();
  const bool parenthesis = words_.accept("(");
  const Token token = words_.next();
  s.target = expressions_.variable();
  if (program_.arrays[s.target.array].storage != Storage::kMutex)
    throw SyntaxError(token.at, fmt::format("{} is no mutex", quoted(token)));
  if (words_.is_next("["))
    expressions_.index(s.target);
  else
    expressions_.require_single(s.target, token);
  if (program_.sites.size() != s.first_site)
    throw SyntaxError(token.at, "which mutex it is must not depend on global variables");
  if (parenthesis) words_.expect(")");
  finish(s);
}

}  // namespace mazur::dlang
