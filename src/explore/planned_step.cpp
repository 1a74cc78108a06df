#include "explore/planned_step.h"

#include <stdexcept>

namespace mazur {

void planned_step_is_not_possible() {
  throw std::logic_error("a planned step is not possible: the program did not behave as before");
}

}  // namespace mazur
