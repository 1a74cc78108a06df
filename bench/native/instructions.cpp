// How many instructions an execution takes: a figure that is the same on a busy machine, where times are not.
//
//   <build>/bench/native/instructions PROGRAM [--skip=K] [--executions=N] [--functions] [--mazur=PATH] [-- OPTIONS]
//
// PROGRAM is an executable as `mazur c++` makes it. After K executions (default 20, in which pages are touched for the
// first time) the next N (default 50) are followed one instruction at a time, and each that the checked process runs
// is counted: the program's, the runtime's and the explorer's, not the kernel's. That takes some microseconds an
// instruction. --functions also lists the runtime's functions with what each takes itself. To compare two builds, name
// the other one's mazur with --mazur. OPTIONS are those of mazur check.
//
// It is here because hardware counters are missing on many virtual machines, and valgrind cannot run the runtime,
// which changes stacks and the thread pointer by itself.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "instructions: %s\n", what.c_str());
  std::exit(2);
}

// The offset of main in the executable, as the symbol table has it.
std::uint64_t main_offset(const std::string& program) {
  const std::string command = "nm -- '" + program + "' | grep ' T main$'";
  std::FILE* in = popen(command.c_str(), "r");
  unsigned long long offset = 0;
  const bool found = in != nullptr && std::fscanf(in, "%llx", &offset) == 1;
  if (in != nullptr) pclose(in);
  if (!found) fail("there is no main in the symbols of " + program);
  return offset;
}

// Where a file is mapped that has this name at its end; 0 if it is not.
std::uint64_t load_address(pid_t process, const std::string& file, std::string* whole = nullptr) {
  std::ifstream maps("/proc/" + std::to_string(process) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    if (!line.ends_with(file)) continue;
    if (whole != nullptr) *whole = line.substr(line.find('/'));
    return std::stoull(line.substr(0, line.find('-')), nullptr, 16);
  }
  return 0;
}

// Counts by function of the runtime.
class Functions {
 public:
  explicit Functions(pid_t process) {
    std::string file;
    base_ = load_address(process, "/libtsan.so.2", &file);
    std::FILE* in = popen(("nm -C --defined-only -- '" + file + "'").c_str(), "r");
    char line[4096];
    while (in != nullptr && std::fgets(line, sizeof line, in) != nullptr) {
      char* rest;
      const std::uint64_t address = std::strtoull(line, &rest, 16);
      if (std::strchr("tTwW", rest[1]) == nullptr) continue;
      std::string name = rest + 3;
      name.pop_back();
      counts_.insert({address, {std::move(name), 0}});
    }
    if (in != nullptr) pclose(in);
  }
  void count(std::uint64_t at) {
    auto after = counts_.upper_bound(at - base_);
    if (at < base_ || after == counts_.begin() || after == counts_.end())
      ++elsewhere_;
    else
      ++std::prev(after)->second.second;
  }
  void print(unsigned long executions) const {
    std::vector<std::pair<unsigned long, std::string>> all{
        {elsewhere_, "(the program and libraries)"}};
    for (const auto& [address, function] : counts_)
      if (function.second != 0) all.push_back({function.second, function.first});
    std::sort(all.rbegin(), all.rend());
    for (const auto& [number, name] : all)
      std::printf("%10.1f  %s\n", static_cast<double>(number) / static_cast<double>(executions),
                  name.c_str());
  }

 private:
  std::uint64_t base_ = 0;
  std::map<std::uint64_t, std::pair<std::string, unsigned long>> counts_;
  unsigned long elsewhere_ = 0;
};

class Breakpoint {
 public:
  Breakpoint(pid_t process, std::uint64_t address) : process_(process), address_(address) {
    word_ = ptrace(PTRACE_PEEKTEXT, process, address, nullptr);
    ptrace(PTRACE_POKETEXT, process, address, (word_ & ~0xffL) | 0xcc);
  }
  // Runs the instruction that it stands for. Returns false if the process has ended.
  bool pass(bool keep) const {
    user_regs_struct registers;
    ptrace(PTRACE_GETREGS, process_, nullptr, &registers);
    registers.rip = address_;
    ptrace(PTRACE_SETREGS, process_, nullptr, &registers);
    ptrace(PTRACE_POKETEXT, process_, address_, word_);
    if (!keep) return true;
    ptrace(PTRACE_SINGLESTEP, process_, nullptr, nullptr);
    int status;
    if (waitpid(process_, &status, __WALL) != process_ || !WIFSTOPPED(status)) return false;
    ptrace(PTRACE_POKETEXT, process_, address_, (word_ & ~0xffL) | 0xcc);
    return true;
  }

 private:
  pid_t process_;
  std::uint64_t address_;
  long word_ = 0;
};

struct Settings {
  std::string program;
  std::string mazur = MAZUR_PROGRAM;
  unsigned long skip = 20;
  unsigned long executions = 50;
  bool functions = false;
  std::vector<std::string> options;
};

Settings settings_from(int count, char** arguments) {
  Settings settings;
  int i = 1;
  for (; i < count && std::strcmp(arguments[i], "--") != 0; ++i) {
    const std::string_view argument = arguments[i];
    const auto number = [&](std::string_view name) {
      char* end;
      const unsigned long value = std::strtoul(argument.data() + name.size(), &end, 10);
      if (*end != '\0' || end == argument.data() + name.size())
        fail(std::string(name) + " wants a number");
      return value;
    };
    if (argument.starts_with("--skip="))
      settings.skip = number("--skip=");
    else if (argument.starts_with("--executions="))
      settings.executions = number("--executions=");
    else if (argument == "--functions")
      settings.functions = true;
    else if (argument.starts_with("--mazur="))
      settings.mazur = argument.substr(8);
    else if (argument.starts_with("-") || !settings.program.empty())
      fail("'" + std::string(argument) +
           "' is not understood; the head of instructions.cpp says how to call it");
    else
      settings.program = argument;
  }
  if (settings.program.empty()) fail("which program?");
  char* real = realpath(settings.program.c_str(), nullptr);
  if (real == nullptr) fail("there is no " + settings.program);
  settings.program = real;
  std::free(real);
  if (settings.executions == 0) fail("--executions wants at least 1");
  settings.options.assign(arguments + (i < count ? i + 1 : count), arguments + count);
  return settings;
}

pid_t start(const Settings& settings) {
  const pid_t process = fork();
  if (process != 0) return process;
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  raise(SIGSTOP);
  std::vector<std::string> words = {settings.mazur, "check",      settings.program,
                                    "--quiet",      "--no-trace", "--json=/dev/null"};
  words.insert(words.end(), settings.options.begin(), settings.options.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(settings.mazur.c_str(), pointers.data());
  std::fprintf(stderr, "instructions: cannot start %s\n", settings.mazur.c_str());
  _exit(2);
}

// The checked process, stopped at the beginning of execution `skip`.
pid_t reach(const Settings& settings, pid_t mazur, std::uint64_t offset, std::uint64_t& main) {
  int status;
  waitpid(mazur, &status, 0);
  ptrace(PTRACE_SETOPTIONS, mazur, nullptr,
         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |
             PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, mazur, nullptr, nullptr);
  unsigned long seen = 0;
  pid_t checked = 0;
  std::vector<Breakpoint> breakpoint;
  for (;;) {
    const pid_t process = waitpid(-1, &status, __WALL);
    if (process < 0) fail("the exploration ended before the executions to skip did");
    if (!WIFSTOPPED(status)) continue;
    int signal = WSTOPSIG(status);
    if (status >> 16 == PTRACE_EVENT_EXEC) {
      if (const std::uint64_t base = load_address(process, settings.program); base != 0) {
        checked = process;
        main = offset < base ? base + offset : offset;
        breakpoint.assign(1, Breakpoint(process, main));
      }
      signal = 0;
    } else if (process == checked && signal == SIGTRAP) {
      const bool there = seen++ == settings.skip;
      if (!breakpoint[0].pass(!there)) fail("the program ended");
      if (there) return checked;
      signal = 0;
    } else if (signal == SIGTRAP || signal == SIGSTOP) {
      signal = 0;
    }
    ptrace(PTRACE_CONT, process, nullptr, signal);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Settings settings = settings_from(count, arguments);
  const std::uint64_t offset = main_offset(settings.program);
  std::uint64_t main = 0;
  const pid_t checked = reach(settings, start(settings), offset, main);

  Functions functions(checked);
  unsigned long instructions = 0, executions = 0;
  int signal = 0;
  while (executions < settings.executions) {
    ptrace(PTRACE_SINGLESTEP, checked, nullptr, signal);
    int status;
    if (waitpid(checked, &status, __WALL) != checked || !WIFSTOPPED(status)) break;
    signal = WSTOPSIG(status) == SIGTRAP || WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
    // Timers run much faster than the program now: what they would do is left out.
    if (signal == SIGALRM || signal == SIGVTALRM || signal == SIGPROF)
      signal = 0;
    else if (signal != 0)
      continue;
    ++instructions;
    const auto at = static_cast<std::uint64_t>(
        ptrace(PTRACE_PEEKUSER, checked, offsetof(user_regs_struct, rip), nullptr));
    if (at == main) ++executions;
    if (settings.functions) functions.count(at);
  }
  if (executions == 0) fail("the exploration ended before the next execution did");
  std::printf("%.0f instructions per execution (%lu executions)\n",
              static_cast<double>(instructions) / static_cast<double>(executions), executions);
  if (settings.functions) functions.print(executions);
  kill(checked, SIGKILL);
}
