#include "machine/native/engine/call_stack.h"

#include <setjmp.h>
#include <ucontext.h>
#include <unwind.h>

#include "machine/native/engine/runtime.h"
#include "machine/native/memory/loaded_objects.h"

namespace mazur::native {
namespace {

constexpr std::size_t kDeepest = 64;

struct Walk {
  std::uint64_t frames[kDeepest];
  std::size_t count = 0;
};

LoadedRange own_code;
jmp_buf way_out;
bool is_walking = false;

void find_own_code() {
  const auto here = reinterpret_cast<std::uintptr_t>(&find_own_code);
  visit_loaded_objects([here](const LoadedObject& object) {
    object.for_each_segment([here](const Segment& segment) {
      if (segment.is_code() && segment.contains(here)) own_code = segment;
    });
    return own_code.contains(here);
  });
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* out) {
  Walk& walk = *static_cast<Walk*>(out);
  int before_instruction = 0;
  const std::uint64_t pc = _Unwind_GetIPInfo(context, &before_instruction);
  if (pc == 0) return _URC_END_OF_STACK;
  // An interrupted instruction is where it is; a return address is just behind the call.
  walk.frames[walk.count++] = before_instruction != 0 ? pc + 1 : pc;
  return walk.count < kDeepest ? _URC_NO_REASON : _URC_END_OF_STACK;
}

}  // namespace

bool is_runtime_code(std::uint64_t pc) {
  if (__builtin_expect(own_code.begin == 0, 0)) find_own_code();
  return own_code.contains(pc);
}

bool walking() { return is_walking; }

void stop_walking() { longjmp(way_out, 1); }

std::vector<std::uint64_t> call_stack(std::uint64_t pc) {
  static Walk walk;
  walk.count = 0;
  is_walking = true;
  if (setjmp(way_out) == 0) _Unwind_Backtrace(visit, &walk);
  is_walking = false;
  std::size_t first = 0;
  while (first < walk.count && is_runtime_code(walk.frames[first])) ++first;
  for (std::size_t i = first; pc != 0 && i < walk.count; ++i) {
    if (walk.frames[i] != pc) continue;
    first = i;
    break;
  }
  std::vector<std::uint64_t> stack(walk.frames + first, walk.frames + walk.count);
  if (stack.empty() && pc != 0) stack.push_back(pc);
  // The fiber's own first frame is the runtime's.
  while (!stack.empty() && is_runtime_code(stack.back())) stack.pop_back();
  return stack;
}

std::vector<std::uint64_t> call_stack_at(void* signal_context) {
  const auto* context = static_cast<const ucontext_t*>(signal_context);
  const auto pc = static_cast<std::uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
  std::vector<std::uint64_t> stack = call_stack(pc + 1);
  if (stack.empty()) stack.push_back(pc + 1);
  return stack;
}

}  // namespace mazur::native
