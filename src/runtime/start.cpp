#include "runtime/start.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/hooks/atomic_functions.h"
#include "machine/native/memory/leaks.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/primitives/mailbox.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/system/counter.h"
#include "machine/native/system/finish.h"
#include "machine/native/system/output.h"
#include "protocol/channel.h"
#include "runtime/arguments.h"

namespace mazur::native {
namespace {

using MainFunction = int (*)(int, char**, char**);
using Constructor = void (*)(int, char**, char**);
using Destructor = void (*)();

MainFunction program_main;
int argument_count;
char** arguments;
char** environment;

// The program's own constructors and destructors: taken out of the loader's hands.
Constructor* constructors;
std::size_t constructor_count;
Destructor* destructors;
std::size_t destructor_count;
bool constructors_in_executions = false;
bool constructing = false;
jmp_buf before_constructors;

std::uint64_t code_begin, code_end, load_address;

int take_program(dl_phdr_info* info, std::size_t, void*) {
  load_address = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uintptr_t at = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0) {
      code_begin = at;
      code_end = at + header.p_memsz;
    }
    if (header.p_type != PT_DYNAMIC) continue;
    mprotect(reinterpret_cast<void*>(page_down(at)), page_up(at + header.p_memsz) - page_down(at),
             PROT_READ | PROT_WRITE);
    for (auto* entry = reinterpret_cast<ElfW(Dyn)*>(at); entry->d_tag != DT_NULL; ++entry) {
      // glibc relocates some of these values in place and some not: it does not for the arrays.
      const std::uintptr_t value = info->dlpi_addr + entry->d_un.d_ptr;
      if (entry->d_tag == DT_INIT_ARRAY) constructors = reinterpret_cast<Constructor*>(value);
      if (entry->d_tag == DT_FINI_ARRAY) destructors = reinterpret_cast<Destructor*>(value);
      if (entry->d_tag == DT_FINI_ARRAYSZ) destructor_count = entry->d_un.d_val / sizeof(void*);
      if (entry->d_tag == DT_INIT_ARRAYSZ) {
        constructor_count = entry->d_un.d_val / sizeof(void*);
        entry->d_un.d_val = 0;
      }
    }
  }
  return 1;  // the first object is the program
}

int find_unwinder(dl_phdr_info* info, std::size_t, void*) {
  if (std::strstr(info->dlpi_name, "libgcc_s") == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    runtime.unwinder_begin = info->dlpi_addr + header.p_vaddr;
    runtime.unwinder_size = header.p_memsz;
  }
  return 1;
}

// Of the C library and its loader.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;
};
CodeRange c_library[2];

int find_c_library(dl_phdr_info* info, std::size_t, void*) {
  const bool library = std::strstr(info->dlpi_name, "/libc.so") != nullptr;
  if (!library && std::strstr(info->dlpi_name, "/ld-linux") == nullptr) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const std::uint64_t begin = info->dlpi_addr + header.p_vaddr;
    c_library[library ? 0 : 1] = {begin, begin + header.p_memsz};
  }
  return 0;
}

void run_constructors() {
  for (std::size_t i = 0; i < constructor_count; ++i)
    constructors[i](argument_count, arguments, environment);
}

bool open_channel() {
  const char* variable = std::getenv(kChannelVariable);
  if (variable == nullptr) return false;
  const int descriptor = std::atoi(variable);
  void* block = mmap(nullptr, kChannelBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (block == MAP_FAILED) return false;
  raw_syscall(SYS_close, descriptor);
  auto* channel = static_cast<Channel*>(block);
  if (channel->magic != kChannelMagic || channel->version != kChannelVersion)
    die("mazur and its runtime are of different versions: install both again");
  runtime.channel = channel;
  return true;
}

// The program sees the environment it would have had without us.
void clean_environment() {
  unsetenv(kChannelVariable);
  unsetenv("LD_BIND_NOW");
  const char* path = runtime.channel->request.library_path;
  if (path[0] == '\1')
    unsetenv("LD_LIBRARY_PATH");
  else
    setenv("LD_LIBRARY_PATH", path, 1);
}

// Everything up to the state that executions start from.
void boot() {
  const Request& request = runtime.channel->request;
  clean_environment();
  find_memory_functions();
  find_atomic_functions(load_address);
  set_up_thread_local_storage();
  dl_iterate_phdr(find_unwinder, nullptr);
  dl_iterate_phdr(find_c_library, nullptr);
  // libstdc++ counts references without atomics while this says so.
  if (auto* single = static_cast<char*>(dlsym(RTLD_DEFAULT, "__libc_single_threaded"))) *single = 0;
  install_terminate_handler();
  capture_output(request.show_output != 0);
  explore_plain(request.races == Races::kExplore);
  runtime.watch_loops = request.watch_loops != 0;
  set_up_race_detector(request.races, request.suppressions);
  set_up_leaks(request.leaks != 0);
  install_signal_handlers(request.gdb == 0);
  set_up_counter();
  fiber_of(0);
  const bool restores = request.isolation == Isolation::kSnapshot;
  take_snapshot(false);
  capture_per_execution_at_snapshot();
  if (setjmp(before_constructors) == 0) {
    constructing = true;
    run_constructors();
    constructing = false;
  } else {
    constructing = false;
    constructors_in_executions = true;
    PrivateHeapScope::reset();
    restore_snapshot();
    reset_per_execution();
  }
  environment = environ;
  take_snapshot(restores);
  capture_per_execution_at_snapshot();
  runtime.booting = false;
}

int instead_of_main(int count, char** values, char** variables) {
  argument_count = count;
  arguments = values;
  environment = variables;
  keep_arguments(values, variables);
  if (!open_channel()) {
    static const char text[] =
        "This program runs under Mazur's runtime: start it with `mazur check <program>`.\n";
    raw_syscall(SYS_write, 2, reinterpret_cast<long>(text), sizeof text - 1);
    raw_syscall(SYS_exit_group, 2);
  }
  runtime.channel->phase.store(Phase::kStarted);
  boot();
  const OwnStorage storage;
  run_session();
}

}  // namespace

void failure_before_main(const char* message) {
  if (constructing) longjmp(before_constructors, 1);
  if (asking_predicate) die("%s: %s", kPredicateFailed, message);
  die("before main: %s", message);
}

void run_destructor_functions() {
  for (std::size_t i = destructor_count; i-- > 0;) destructors[i]();
}

bool is_c_library(const void* pc) {
  const auto at = reinterpret_cast<std::uint64_t>(pc);
  return std::any_of(std::begin(c_library), std::end(c_library),
                     [at](const CodeRange& range) { return range.begin <= at && at < range.end; });
}

bool is_program_code(std::uint64_t pc) { return code_begin <= pc && pc < code_end; }

void run_main() {
  if (constructors_in_executions) run_constructors();
  const int status = program_main(argument_count, arguments, environment);
  finish_process(status, reinterpret_cast<const void*>(program_main));
}

void* real_symbol(const char* name) {
  PrivateHeapScope scope;
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) die("the C library has no function %s", name);
  return symbol;
}

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int count, char** values,
                                   void (*init)(), void (*fini)(), void (*loader_fini)(),
                                   void* stack_end) {
  using Start =
      int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  program_main = main;
  dl_iterate_phdr(take_program, nullptr);
  auto* start = reinterpret_cast<Start*>(real_symbol("__libc_start_main"));
  return start(instead_of_main, count, values, init, fini, loader_fini, stack_end);
}
