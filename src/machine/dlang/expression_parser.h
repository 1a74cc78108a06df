// Expressions, conditions and places of dlang. The functions are named after the rules of Figure
// A.1 of the thesis.
//
// Every mention of a global variable is noted in Program::sites, in the order of the text.
#pragma once

#include <unordered_map>

#include "machine/dlang/word_stream.h"

namespace mazur::dlang {

class ExpressionParser {
 public:
  ExpressionParser(Program& program, WordStream& words) : program_(program), words_(words) {}

  // Makes the last array of the program known. False: there is already one with this name.
  bool declare(const std::string& name) {
    return names_.emplace(name, static_cast<std::uint32_t>(program_.arrays.size())).second;
  }

  Expression int_expr();
  // Into left, relation and right of the statement.
  void bool_expr(Statement& s);
  Place asgn_target();
  // A name alone: the place is its first element.
  Place variable();
  // `[ ... ]`. An index that is constant is worked out.
  void index(Place& place);
  // Complains unless the place, which has no index, is one element.
  void require_single(const Place& place, const Token& token) const;

 private:
  void operand();
  void element();
  Place reference(const Token& token);
  void binary(std::uint32_t begin, NodeKind op, Position at);
  void constant(std::int64_t value, Position at);

  Program& program_;
  WordStream& words_;
  std::unordered_map<std::string, std::uint32_t> names_;
};

}  // namespace mazur::dlang
