// Any text at all: the parser must say what is wrong with it or make a program that can be run. For
// libFuzzer, and for mutation_test.cpp.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "check/loop.h"
#include "machine/dlang/dlang_machine.h"
#include "machine/dlang/parser.h"

namespace {

class Ignore final : public mazur::Watcher {
  void failed(const mazur::Trace&, const mazur::Frontier&, const mazur::Failure&) override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mazur;
  try {
    const dlang::Program program = dlang::parse({reinterpret_cast<const char*>(data), size});
    dlang::DlangMachine machine(program, {.reads_conflict = false, .max_local_statements = 1000});
    const auto explorer = make_explorer("optimal", {});
    Bounds bounds;
    bounds.max_steps = 100;
    bounds.max_executions = 5;
    bounds.keep_going = true;
    Ignore ignore;
    explore(machine, *explorer, bounds, ignore);
    for (const dlang::Process& process : program.processes)
      for (const dlang::Statement& statement : process.code)
        if (program.line(statement.at.line).empty()) std::abort();
    return 1;
  } catch (const dlang::SyntaxError& error) {
    if (error.at().line == 0 || error.at().column == 0) std::abort();
    return 0;
  }
}
