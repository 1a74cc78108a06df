#include "machine/native/system/output.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "machine/native/engine/per_execution.h"
#include "machine/native/engine/runtime.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

int captured = -1;
int real_output = -1;
bool pass_through = false;

// The beginning of the file, mapped into memory. The file is never shorter than this.
constexpr long kBeginning = 4096;
char* beginning = nullptr;

long length() { return captured < 0 ? 0 : raw_syscall(SYS_lseek, captured, 0, SEEK_CUR); }

// Asking for the offset costs as much as a short execution. What is printed changes the first byte;
// for output that begins with a zero, the offset is asked for now and then in any case.
void before_execution() {
  constexpr unsigned kUnasked = 64;
  static unsigned unasked = 0;
  if (__builtin_expect(beginning != nullptr && *beginning == 0 && !pass_through, 1) &&
      ++unasked < kUnasked)
    return;
  unasked = 0;
  start_output();
}
const PerExecution reset_output(before_execution);

}  // namespace

bool output_is_nobodys = false;

void capture_output(bool through) {
  pass_through = through;
  real_output = static_cast<int>(raw_syscall(SYS_fcntl, 1, F_DUPFD_CLOEXEC, kOwnDescriptors));
  const long error = raw_syscall(SYS_fcntl, 2, F_DUPFD_CLOEXEC, kOwnDescriptors);
  if (error >= 0) runtime.error_fd = static_cast<int>(error);
  const long file =
      raw_syscall(SYS_memfd_create, reinterpret_cast<long>("program output"), MFD_CLOEXEC);
  if (file < 0) die("cannot capture the program's output (error %ld)", -file);
  captured = static_cast<int>(raw_syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, kOwnDescriptors));
  raw_syscall(SYS_close, file);
  raw_syscall(SYS_ftruncate, captured, kBeginning);
  beginning = static_cast<char*>(
      mmap(nullptr, kBeginning, PROT_READ | PROT_WRITE, MAP_SHARED, captured, 0));
  if (beginning == MAP_FAILED) die("cannot look at the program's output");
  // One open file: both descriptors share its offset, so the order of what is printed is kept.
  raw_syscall(SYS_dup2, captured, 1);
  raw_syscall(SYS_dup2, captured, 2);
}

void start_output() {
  const long size = length();
  if (__builtin_expect(size <= 0, 1)) return;
  if (pass_through && !runtime.capture_stacks && !output_is_nobodys) {
    const std::string text = captured_output();
    for (std::size_t at = 0; at < text.size();) {
      const long written =
          raw_syscall(SYS_write, real_output, reinterpret_cast<long>(text.data() + at),
                      static_cast<long>(text.size() - at));
      if (written <= 0) break;
      at += static_cast<std::size_t>(written);
    }
  }
  if (size > kBeginning) raw_syscall(SYS_ftruncate, captured, kBeginning);
  std::memset(beginning, 0, static_cast<std::size_t>(std::min(size, kBeginning)));
  raw_syscall(SYS_lseek, captured, 0, SEEK_SET);
}

void flush_output() {
  // fflush(nullptr) walks all files under locks; most executions print nothing.
  const auto holds = [](const FILE* file) { return file->_IO_write_ptr > file->_IO_write_base; };
  if (holds(stdout) || holds(stderr)) std::fflush(nullptr);
}

std::string captured_output() {
  constexpr long kMost = 1 << 20;
  const long size = std::min(length(), kMost);
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  const long got = raw_syscall(SYS_pread64, captured, reinterpret_cast<long>(text.data()), size, 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  // What a failed execution had not yet written out.
  for (const FILE* file : {stdout, stderr})
    if (file->_IO_write_ptr > file->_IO_write_base)
      text.append(file->_IO_write_base, file->_IO_write_ptr);
  return text;
}

}  // namespace mazur::native
