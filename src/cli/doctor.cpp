// mazur doctor: whether this machine has what Mazur needs; of what class the modules of a program
// are.
#include <elf.h>
#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "cli/build/executable.h"
#include "cli/commands.h"
#include "cli/run/process.h"
#include "cli/run/program_run.h"
#include "cli/run/start_program.h"
#include "cli/usage.h"
#include "mazur_version.h"
#include "report/module_lines.h"

namespace mazur {
namespace {

#ifndef HWCAP2_FSGSBASE
constexpr unsigned long HWCAP2_FSGSBASE = 2;
#endif

bool print(std::string_view what, bool good, const std::string& detail) {
  fmt::print("{:<22} {:<8} {}\n", what, good ? "ok" : "missing", detail);
  return good;
}

}  // namespace

int doctor_command(const Arguments& arguments) {
  if (arguments.size() > 1 || (arguments.size() == 1 && arguments[0].starts_with('-')))
    throw UsageError("'mazur doctor' takes nothing but a program whose modules it is to list.");
  const Installation installation = find_installation();
  if (arguments.size() == 1) {
    require_checkable(arguments[0]);
    ProgramRun run;
    run.program = std::filesystem::absolute(arguments[0]).lexically_normal();
    fmt::print("{}", module_table(list_modules(run, installation)));
    return 0;
  }
  fmt::print("mazur {}\n", kVersion);
  bool good = true;
  const std::string gcc = find_in_path("g++"), clang = find_in_path("clang++"),
                    gdb = find_in_path("gdb");
  good &= print("g++", !gcc.empty(), gcc.empty() ? "apt-get install g++" : gcc);
  print("clang++ (optional)", !clang.empty(), clang.empty() ? "apt-get install clang" : clang);
  print("gdb (optional)", !gdb.empty(), gdb.empty() ? "apt-get install gdb" : gdb);
  const auto runtime = installation.runtime / kRuntimeName;
  good &= print("runtime", access(runtime.c_str(), R_OK) == 0, runtime.string());
  print("fsgsbase", (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0,
        "switches between threads are slower without it");
  good &= print("fixed addresses", fix_addresses(),
                "personality(ADDR_NO_RANDOMIZE); replay in another process needs it");
  return good ? 0 : 2;
}

}  // namespace mazur
