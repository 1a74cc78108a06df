#include "check/standstill.h"

#include "check/describe.h"
#include "check/loop.h"
#include "trace/blocking/lock_round.h"
#include "trace/fields.h"

namespace mazur {

Stuck stuck(Machine& machine, const Frontier& frontier) {
  if (machine.finished() || frontier.threads().empty()) return Stuck::kNo;
  bool in_vain = false;
  bool patient = false;
  for (const Pending& p : frontier.threads()) {
    patient = patient || is_patient(p.op);
    if (p.assumed && is_look(p.op)) return Stuck::kAssume;
    if (p.op.kind != OpKind::kNever || is_endless(p.op)) continue;
    if (!is_in_vain(p.op)) return Stuck::kAssume;
    in_vain = true;
  }
  if (in_vain && !machine.stands_still()) return Stuck::kAssume;
  return patient ? Stuck::kNoDeadline : Stuck::kDeadlock;
}

std::optional<Failure> failure_at_end(Machine& machine) {
  const Frontier& frontier = machine.frontier();
  if (machine.left_behind() || stuck(machine, frontier) != Stuck::kDeadlock) return std::nullopt;
  return describe_deadlock(machine, frontier);
}

}  // namespace mazur
