#include "machine/native/engine/loaded_program.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "machine/native/engine/native_machine.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/primitives/mailbox.h"
#include "machine/native/system/finish.h"

namespace mazur::native {
namespace {

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

std::uint64_t code_begin, code_end, load_base;

int take_first(dl_phdr_info* info, std::size_t, void*) {
  load_base = info->dlpi_addr;
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

}  // namespace

void take_program(MainFunction main) {
  program_main = main;
  dl_iterate_phdr(take_first, nullptr);
}

std::uint64_t load_address() { return load_base; }

void find_libraries() {
  dl_iterate_phdr(find_unwinder, nullptr);
  dl_iterate_phdr(find_c_library, nullptr);
}

void set_arguments(int count, char** values, char** variables) {
  argument_count = count;
  arguments = values;
  environment = variables;
}

bool construct() {
  if (setjmp(before_constructors) != 0) {
    constructing = false;
    constructors_in_executions = true;
    return false;
  }
  constructing = true;
  run_constructors();
  constructing = false;
  return true;
}

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
