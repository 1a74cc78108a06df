// Statements of dlang, into the code of the program's last process. The functions are named after
// the rules of Figure A.1 of the thesis; `assertion`, `await` and `mutex_statement` are ours.
#pragma once

#include "machine/dlang/expression_parser.h"

namespace mazur::dlang {

class StatementParser {
 public:
  StatementParser(Program& program, WordStream& words, ExpressionParser& expressions)
      : program_(program), words_(words), expressions_(expressions) {}

  // Statements up to and including the symbol that ends them.
  void block(std::string_view end);

 private:
  void statement();
  void braces();
  void conditional();
  void loop();
  void assignment();
  void comp_swap();
  void comp_swap_arguments(Statement& s);
  void indexer();
  void label(std::string_view name);
  Place indexer_variable(std::string_view name, bool assigned);
  void assertion();
  void await();
  void mutex_statement();

  Statement begin(StatementKind kind) const;
  std::size_t finish(Statement s);
  std::vector<Statement>& code() { return program_.processes.back().code; }
  std::uint32_t here() { return static_cast<std::uint32_t>(code().size()); }

  Program& program_;
  WordStream& words_;
  ExpressionParser& expressions_;
};

}  // namespace mazur::dlang
