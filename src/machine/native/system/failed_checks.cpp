#include "machine/native/system/failed_checks.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "machine/native/engine/runtime.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/system/finish.h"
#include "machine/native/system/output.h"
#include "protocol/channel.h"

namespace mazur::native {
namespace {

constexpr std::size_t kLongest = 4000;  // of a message
char with_debugger[32] = "";            // the path of a file that says so; or ""
constexpr char kStatus[] = "/proc/self/status";

constexpr std::string_view kBoostError = ": error: in \"",
                           kBoostFatalError = ": fatal error: in \"";

// Whether a line says that a check has failed: "a.cpp:12: Failure", "a.cpp:12: FAILED:", ...
bool tells_failure(std::string_view line) {
  // What follows the place: of GoogleTest, Catch2, doctest, Boost.Test.
  constexpr std::string_view kEnds[] = {
      ": Failure", ": FAILED:", ": FATAL ERROR: ", ": ERROR: ", kBoostError, kBoostFatalError};
  for (const std::string_view end : kEnds) {
    const std::size_t at = line.find(end);
    if (at == line.npos || at == 0) continue;
    const char last = line[at - 1];
    if (std::isdigit(static_cast<unsigned char>(last)) != 0 || last == ')' ||
        line.substr(0, at) == "unknown file")
      return true;
  }
  return false;
}

// Whether a line belongs to what the framework prints about the whole case, or all of them.
bool begins_summary(std::string_view line) {
  return line.starts_with("======") || line.starts_with("[  FAILED  ]") ||
         line.starts_with("[------");
}

// Whether Boost.Test has just printed a failed check. An exception that left the case has no place.
bool tells_boost_failure(std::string_view printed) {
  for (const std::string_view error : {kBoostError, kBoostFatalError}) {
    const std::size_t at = printed.rfind(error);
    if (at == printed.npos || at == 0 || printed[at - 1] != ')') continue;
    const std::size_t line = printed.rfind('\n', at) + 1;  // 0 if it is the first one
    if (!printed.substr(line).starts_with("unknown location(")) return true;
  }
  return false;
}

}  // namespace

void set_up_failed_checks() {
  if (runtime.channel->request.failed_checks == 0) return;
  const long file = raw_syscall(SYS_memfd_create, reinterpret_cast<long>("status"), MFD_CLOEXEC);
  if (file < 0) return;  // nobody is told then
  const long kept = raw_syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, kOwnDescriptors);
  raw_syscall(SYS_close, file);
  constexpr std::string_view kText = "TracerPid:\t1\n";
  raw_syscall(SYS_write, kept, reinterpret_cast<long>(kText.data()),
              static_cast<long>(kText.size()));
  std::snprintf(with_debugger, sizeof with_debugger, "/proc/self/fd/%ld", kept);
}

const char* opened_for(const char* path) {
  return with_debugger[0] != '\0' && std::strcmp(path, kStatus) == 0 ? with_debugger : path;
}

std::string failed_check_in(std::string_view output) {
  std::size_t found = output.npos, over = output.npos;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view line = output.substr(at, end - at);
    if (tells_failure(line)) {
      found = at;
      over = output.npos;
    } else if (begins_summary(line)) {
      over = std::min(over, at);
    }
    at = end + 1;
  }
  if (found == output.npos) return {};
  output = output.substr(found, std::min(over - found, kLongest));
  const std::size_t last = output.find_last_not_of(" \t\r\n");
  return std::string(output.substr(0, last + 1));
}

std::string last_failed_check() {
  if (runtime.channel->request.failed_checks == 0) return {};
  return failed_check_in(captured_output());
}

void breakpoint_hit(bool by_instruction, void* context) {
  // The processor has gone on behind the instruction.
  if (by_instruction) --static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  if (std::string said = last_failed_check(); !said.empty())
    fail_in_handler(FailureKind::kAssertion, std::move(said), context);
  fail_in_handler(FailureKind::kCrash, "SIGTRAP: a breakpoint in the program", context);
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

// Boost.Test does not stop at failed checks, but each of them is written out at once.
MAZUR_EXPORT int fflush(FILE* stream) {
  if (stream == stdout && runtime.running && runtime.channel->request.failed_checks != 0) {
    const std::string_view printed(
        stream->_IO_write_base,
        static_cast<std::size_t>(stream->_IO_write_ptr - stream->_IO_write_base));
    if (tells_boost_failure(printed)) {
      const PrivateHeapScope scope;
      fail(FailureKind::kAssertion, "%s", last_failed_check().c_str());
    }
  }
  static decltype(fflush)* slot;
  return real(slot, "fflush")(stream);
}
