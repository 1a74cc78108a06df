// What include/mazur/mazur.h declares.
//
// choose: always enabled; each of its outcomes is explored; depends on nothing. assume: holds, or
// its thread never goes on; depends on nothing.
#include "machine/native/fiber.h"
#include "machine/native/runtime.h"

using namespace mazur;
using namespace mazur::native;

namespace {

bool never(const Fiber&) { return false; }

std::uint16_t outcomes(const Fiber& fiber) { return static_cast<std::uint16_t>(fiber.op->value); }

}  // namespace

MAZUR_EXPORT unsigned mazur_runtime_choose(unsigned ways) {
  if (!in_execution() || ways < 2) return 0;
  if (ways > 0xffff) unsupported("choosing between more than 65535 outcomes", MAZUR_CALLER);
  Label& label =
      visible({.kind = OpKind::kChoose, .value = ways}, MAZUR_CALLER, {.ways = outcomes});
  label.written = chosen();
  return chosen();
}

MAZUR_EXPORT void mazur_runtime_assume(int condition) {
  if (!in_execution() || condition != 0) return;
  visible({.kind = OpKind::kNever}, MAZUR_CALLER, {.enabled = never});
}
