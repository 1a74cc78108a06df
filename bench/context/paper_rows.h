// Tables 1 and 2 of "Optimal dynamic partial order reduction with context-sensitive independence
// and observers": the programs, and the numbers of executions that the paper has for them.
#pragma once

#include <string>
#include <vector>

struct PaperRow {
  int table;
  std::string name;    // the paper's
  std::string source;  // in tests/literature
  std::string flags;
  // Complete executions in the paper. 0: it has none, or ran into its time limit of 150 seconds.
  long optimal = 0, observers = 0, context = 0, context_observers = 0;
};

const std::vector<PaperRow>& paper_rows();
