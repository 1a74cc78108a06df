// mazur: a stateless model checker for C and C++ programs.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>

#include "cli/commands.h"
#include "cli/usage.h"
#include "mazur_version.h"
#include "report/printable.h"
#include "work/store.h"

namespace mazur {
namespace {

int version_command(const Arguments&) {
  fmt::print("mazur {}\n", kVersion);
  return 0;
}

struct Command {
  std::string_view name, words, help;
  int (*run)(const Arguments&);
};

constexpr std::array kCommands = {
    Command{"check", "FILES...", "explore all schedules of a program, from sources or built",
            check_command},
    Command{"test", "FILES...", "the same for each test case of a program by itself", test_command},
    Command{"worker", "[PROGRAM]", "join an exploration that another machine has begun",
            worker_command},
    Command{"status", "LEDGER", "how far an exploration with a ledger is", status_command},
    Command{"watch", "LEDGER", "the same, again and again", watch_command},
    Command{"replay", "FILE.trace", "run a failing schedule again, in gdb if wished",
            replay_command},
    Command{"show", "FILE.trace", "look at a failing schedule", show_command},
    Command{"c++", "...", "g++ (or clang++ with --compiler=clang) with instrumentation",
            [](const Arguments& words) { return compile_command(Language::kCxx, words); }},
    Command{"cc", "...", "the same for C",
            [](const Arguments& words) { return compile_command(Language::kC, words); }},
    Command{"doctor", "[PROGRAM]",
            "what this machine has of what Mazur needs; what a program loads", doctor_command},
    Command{"version", "", "the version", version_command},
};

int help_command() {
  fmt::print("mazur {}: a stateless model checker for C and C++ programs\n\n", kVersion);
  for (const Command& command : kCommands)
    fmt::print("  mazur {:<22} {}\n", fmt::format("{} {}", command.name, command.words),
               command.help);
  fmt::print("\n'mazur COMMAND --help' says more.\n");
  return 0;
}

const Command& find_command(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  if (name == "selftest")
    throw UsageError("'selftest' is a command of the launcher ./mazur in the source folder.");
  throw UsageError(fmt::format("there is no command '{}'.{}", name, suggestion(name, names)));
}

int run(const std::string& called, Arguments words) {
  // Build systems want a compiler that is one word.
  const std::string name = std::filesystem::path(called).filename().string();
  if (name == "mazur-c++") return compile_command(Language::kCxx, words);
  if (name == "mazur-cc") return compile_command(Language::kC, words);
  if (words.empty()) {
    help_command();
    return 2;
  }
  const std::string command = words.front();
  words.erase(words.begin());
  if (command == "--help" || command == "-h" || command == "help") return help_command();
  if (command == "--version") return version_command(words);
  return find_command(command).run(words);
}

// Must not fail, even if nobody can be told.
void say(const std::string& sentence) {
  std::fprintf(stderr, "mazur: %s\n", printable(sentence).c_str());
}

}  // namespace
}  // namespace mazur

int main(int argc, char** argv) {
  try {
    return mazur::run(argv[0], {argv + 1, argv + argc});
  } catch (const mazur::UsageError& error) {
    mazur::say(error.what());
  } catch (const mazur::LedgerError& error) {
    mazur::say(error.what());
  } catch (const std::exception& error) {
    mazur::say(std::string("unexpected error: ") + error.what());
  }
  return 2;
}
