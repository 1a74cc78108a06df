#include "machine/native/engine/loaded_program.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "machine/native/engine/native_machine.h"
#include "machine/native/memory/loaded_objects.h"
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

LoadedRange program_code;
std::uint64_t load_base;

// The program's constructors are not run by the loader: their number is set to 0 there.
void take_constructors(const LoadedObject& program) {
  const LoadedRange section = program.dynamic_section();
  if (section.begin == section.end) return;
  mprotect(reinterpret_cast<void*>(page_down(section.begin)),
           page_up(section.end) - page_down(section.begin), PROT_READ | PROT_WRITE);
  for (auto* entry = reinterpret_cast<ElfW(Dyn)*>(section.begin); entry->d_tag != DT_NULL;
       ++entry) {
    // glibc relocates some of these values in place and some not: it does not for the arrays.
    const std::uintptr_t value = program.base() + entry->d_un.d_ptr;
    if (entry->d_tag == DT_INIT_ARRAY) constructors = reinterpret_cast<Constructor*>(value);
    if (entry->d_tag == DT_FINI_ARRAY) destructors = reinterpret_cast<Destructor*>(value);
    if (entry->d_tag == DT_FINI_ARRAYSZ) destructor_count = entry->d_un.d_val / sizeof(void*);
    if (entry->d_tag == DT_INIT_ARRAYSZ) {
      constructor_count = entry->d_un.d_val / sizeof(void*);
      entry->d_un.d_val = 0;
    }
  }
}

// Code of the C library and of its loader.
LoadedRange c_library[2];

void run_constructors() {
  for (std::size_t i = 0; i < constructor_count; ++i)
    constructors[i](argument_count, arguments, environment);
}

}  // namespace

void take_program(MainFunction main) {
  program_main = main;
  visit_loaded_objects([](const LoadedObject& object) {
    load_base = object.base();
    program_code = object.code();
    take_constructors(object);
    return true;  // the first one is the program
  });
}

std::uint64_t load_address() { return load_base; }

void find_libraries() {
  bool unwinder_found = false;
  visit_loaded_objects([&unwinder_found](const LoadedObject& object) {
    if (!unwinder_found && object.is_named("libgcc_s")) {
      unwinder_found = true;
      runtime.unwinder_begin = object.code().begin;
      runtime.unwinder_size = object.code().end - object.code().begin;
    }
    if (object.is_named("/libc.so"))
      c_library[0] = object.code();
    else if (object.is_named("/ld-linux"))
      c_library[1] = object.code();
    return false;
  });
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
                     [at](const LoadedRange& range) { return range.contains(at); });
}

bool is_program_code(std::uint64_t pc) { return program_code.contains(pc); }

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
