// Before main: where the program's process becomes a machine.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdlib>

#include "machine/native/engine/loaded_program.h"
#include "machine/native/engine/native_machine.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/hooks/atomic_functions.h"
#include "machine/native/memory/leaks.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/snapshot.h"
#include "machine/native/races/race_detector.h"
#include "machine/native/system/counter.h"
#include "machine/native/system/failed_checks.h"
#include "machine/native/system/finish.h"
#include "machine/native/system/output.h"
#include "protocol/channel.h"
#include "runtime/arguments.h"
#include "runtime/session.h"

namespace mazur::native {
namespace {

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
void boot(int argument_count, char** arguments) {
  const Request& request = runtime.channel->request;
  clean_environment();
  find_memory_functions();
  find_atomic_functions(load_address());
  set_up_thread_local_storage();
  find_libraries();
  // libstdc++ counts references without atomics while this says so.
  if (auto* single = static_cast<char*>(dlsym(RTLD_DEFAULT, "__libc_single_threaded"))) *single = 0;
  install_terminate_handler();
  capture_output(request.show_output != 0);
  explore_plain(request.races == Races::kExplore);
  runtime.watch_loops = request.watch_loops != 0;
  set_up_race_detector(request.races, request.suppressions);
  set_up_leaks(request.leaks != 0);
  install_signal_handlers(request.gdb == 0);
  set_up_failed_checks();
  set_up_counter();
  fiber_of(0);
  const bool restores = request.isolation == Isolation::kSnapshot;
  take_snapshot(false);
  capture_per_execution_at_snapshot();
  if (!construct()) {
    PrivateHeapScope::reset();
    restore_snapshot();
    reset_per_execution();
  }
  set_arguments(argument_count, arguments, environ);
  take_snapshot(restores);
  capture_per_execution_at_snapshot();
  runtime.booting = false;
}

int instead_of_main(int count, char** values, char** variables) {
  set_arguments(count, values, variables);
  keep_arguments(values, variables);
  if (!open_channel()) {
    static const char text[] =
        "This program runs under Mazur's runtime: start it with `mazur check <program>`.\n";
    raw_syscall(SYS_write, 2, reinterpret_cast<long>(text), sizeof text - 1);
    raw_syscall(SYS_exit_group, 2);
  }
  runtime.channel->phase.store(Phase::kStarted);
  boot(count, values);
  const OwnStorage storage;
  run_session();
}

}  // namespace

}  // namespace mazur::native

using namespace mazur::native;

MAZUR_EXPORT int __libc_start_main(int (*main)(int, char**, char**), int count, char** values,
                                   void (*init)(), void (*fini)(), void (*loader_fini)(),
                                   void* stack_end) {
  using Start =
      int(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  take_program(main);
  auto* start = reinterpret_cast<Start*>(real_symbol("__libc_start_main"));
  return start(instead_of_main, count, values, init, fini, loader_fini, stack_end);
}
