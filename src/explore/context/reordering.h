// Whether the events of an execution, in another order, are an execution with the same results:
// told from the labels, nothing is executed.
#pragma once

#include <span>
#include <vector>

#include "trace/trace.h"

namespace mazur {

class Reordering {
 public:
  // Whether pre(E, x).rest.x, and then what is left of E, can be executed with the results that all
  // events have in E. `rest` are events after x, in the order of E, with all that they need: only
  // events on the same memory come in another order that depend. Returns false when the labels do
  // not tell.
  //
  // y is an event after x; it is given the outcome that it has after pre(E, x).rest.
  bool same_results(const Trace& trace, EventIndex x, std::span<const EventIndex> rest, Event& y);

 private:
  struct Cell {
    ObjectId object;
    std::uint32_t size;
    std::uint64_t value;
  };
  bool find_cells(const Trace& trace, EventIndex from);
  bool run(const Label& l);
  Cell* cell(const Label& l);

  std::vector<Cell> cells_;
};

}  // namespace mazur
