#include "machine/native/system/counter.h"

#include <sys/prctl.h>
#include <ucontext.h>

#include <cstdint>
#include <cstring>
#include <string_view>

#include "machine/native/engine/call_stack.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/loaded_objects.h"
#include "machine/native/memory/raw.h"
#include "machine/native/system/clock.h"

namespace mazur::native {
namespace {

bool refused = false;
LoadedRange vdso;

// How long the instruction is, or 0 if it is another one.
int length_of(const unsigned char* code) {
  if (code[0] != 0x0f) return 0;
  if (code[1] == 0x31) return 2;                      // rdtsc
  return code[1] == 0x01 && code[2] == 0xf9 ? 3 : 0;  // rdtscp
}

// Also finds the bytes inside of other instructions. That costs time and nothing else.
bool has_instruction(const unsigned char* begin, const unsigned char* end) {
  while (end - begin >= 3) {
    begin = static_cast<const unsigned char*>(
        std::memchr(begin, 0x0f, static_cast<std::size_t>(end - begin) - 2));
    if (begin == nullptr) return false;
    if (length_of(begin) != 0) return true;
    ++begin;
  }
  return false;
}

bool is_known(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  for (const std::string_view name :
       {"libc.so.", "ld-linux", "libm.so.", "libgcc_s.so.", "libstdc++.so.", "libc++.so."})
    if (path.starts_with(name)) return true;
  return false;
}

bool has_instruction(const LoadedObject& object) {
  bool found = false;
  object.for_each_segment([&found](const Segment& segment) {
    found = found || (segment.is_code() && !is_runtime_code(segment.begin) &&
                      has_instruction(reinterpret_cast<const unsigned char*>(segment.begin),
                                      reinterpret_cast<const unsigned char*>(segment.file_end)));
  });
  return found;
}

bool refuse(bool on) {
  return raw_syscall(SYS_prctl, PR_SET_TSC, on ? PR_TSC_SIGSEGV : PR_TSC_ENABLE) == 0;
}

std::uint64_t real_counter() {
  refuse(false);
  const std::uint64_t count = __builtin_ia32_rdtsc();
  refuse(true);
  return count;
}

}  // namespace

void set_up_counter() {
  bool found = false;
  visit_loaded_objects([&found](const LoadedObject& object) {
    if (object.is_named("vdso"))
      vdso = object.code();
    else if (!is_known(object.name()))
      found = found || has_instruction(object);
    return false;
  });
  refused = found && refuse(true);
}

bool counts_for_program() { return refused; }

bool answer_counter(void* signal_context) {
  if (!refused) return false;
  auto& registers = static_cast<ucontext_t*>(signal_context)->uc_mcontext.gregs;
  const auto pc = static_cast<std::uint64_t>(registers[REG_RIP]);
  const int length = length_of(reinterpret_cast<const unsigned char*>(pc));
  if (length == 0) return false;
  const std::uint64_t count =
      vdso.contains(pc) || is_runtime_code(pc) ? real_counter() : virtual_counter();
  registers[REG_RAX] = static_cast<greg_t>(count & 0xffffffff);
  registers[REG_RDX] = static_cast<greg_t>(count >> 32);
  if (length == 3) registers[REG_RCX] = 0;  // the processor's number
  registers[REG_RIP] += length;
  return true;
}

}  // namespace mazur::native
