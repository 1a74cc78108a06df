#include "cli/build/toolchain.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/build/build.h"
#include "report/findings/files.h"

namespace mazur {
namespace {

constexpr std::string_view kNextWord[] = {"-o",        "-I",        "-D",          "-U",
                                          "-L",        "-l",        "-x",          "-include",
                                          "-imacros",  "-isystem",  "-iquote",     "-idirafter",
                                          "-iprefix",  "-isysroot", "-MF",         "-MT",
                                          "-MQ",       "-Xlinker",  "-Xassembler", "-Xpreprocessor",
                                          "-Xclang",   "-mllvm",    "--param",     "-T",
                                          "-u",        "-z",        "-arch",       "-target",
                                          "-e",        "-A",        "-B",          "-aux-info",
                                          "-dumpbase", "-dumpdir",  "-specs",      "-wrapper"};

// gcc makes copies of these that are not instrumented, if it knows how long the text is.
constexpr const char* kInlinedByGcc[] = {"strcpy",   "stpcpy",    "strncpy", "stpncpy", "strcat",
                                         "strncat",  "mempcpy",   "bcopy",   "sprintf", "snprintf",
                                         "vsprintf", "vsnprintf", "bzero"};

// Questions about the compiler itself, and -v, by which CMake learns the link line.
bool is_question(std::string_view flag) {
  return flag == "--version" || flag == "-v" || flag == "--help" || flag.starts_with("--help=") ||
         flag == "-###" || flag.starts_with("-dump") || flag.starts_with("-print-") ||
         flag.starts_with("--print-") || flag == "--target-help" || flag == "-V";
}

struct Shape {
  bool question = false;
  bool has_input = false;
  bool links = true;
};

Shape shape_of(std::span<const std::string> arguments) {
  Shape shape;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "-" || !word.starts_with('-')) {
      shape.has_input = true;  // also @response-file
      continue;
    }
    if (is_question(word)) shape.question = true;
    if (word == "-c" || word == "-S" || word == "-E" || word == "-M" || word == "-MM" ||
        word == "-fsyntax-only" || word == "-r")
      shape.links = false;
    if (takes_next_word(word)) ++i;
  }
  return shape;
}

}  // namespace

bool has_atomic_functions(std::span<const std::string> arguments,
                          const std::filesystem::path& directory) {
  constexpr std::string_view kPrefix = "__VERIFIER_atomic_";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (takes_next_word(arguments[i])) ++i;
    if (i >= arguments.size() || !is_source(arguments[i])) continue;
    const std::string text = read_regular_file(directory / arguments[i]).value_or("");
    for (std::size_t at = 0; (at = text.find(kPrefix, at)) != std::string::npos;) {
      at += kPrefix.size();
      if (text.compare(at, 5, "begin") != 0 && text.compare(at, 3, "end") != 0) return true;
    }
  }
  return false;
}

bool chooses_optimisation(std::span<const std::string> flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].starts_with("-O")) return true;
    if (takes_next_word(flags[i])) ++i;
  }
  return false;
}

bool takes_next_word(std::string_view flag) {
  return std::find(std::begin(kNextWord), std::end(kNextWord), flag) != std::end(kNextWord);
}

std::string driver_name(Compiler compiler, Language language) {
  if (compiler == Compiler::kGcc) return language == Language::kC ? "gcc" : "g++";
  return language == Language::kC ? "clang" : "clang++";
}

std::vector<std::string> compiler_command(Compiler compiler, Language language,
                                          std::span<const std::string> arguments,
                                          const Installation& installation,
                                          const std::filesystem::path& directory) {
  std::vector<std::string> command{driver_name(compiler, language)};
  const auto add = [&command](std::initializer_list<const char*> flags) {
    command.insert(command.end(), flags.begin(), flags.end());
  };
  const Shape shape = shape_of(arguments);
  if (shape.question || !shape.has_input) {
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }

  // Before the user's flags, so that theirs win. Volatile accesses are not told apart from plain
  // ones: the hooks for them are missing in the stock runtime, with which the program should start,
  // too. What is fortified by default would be inlined like a builtin.
  add({"-g", "-fno-omit-frame-pointer", "-fsanitize=thread", "-fno-builtin-memcpy",
       "-fno-builtin-memset", "-fno-builtin-memmove", "-U_FORTIFY_SOURCE"});
  if (compiler == Compiler::kGcc) {
    for (const char* function : kInlinedByGcc)
      command.push_back(std::string("-fno-builtin-") + function);
    // Comparisons are kept as calls without that, because they may stand in constant expressions.
    add({"-fno-optimize-strlen", "--param=builtin-string-cmp-inline-length=0", "-Wno-tsan"});
  } else {
    // clang leaves out a read that is followed by a write to the same place.
    add({"-mllvm", "-tsan-instrument-read-before-write=1", "-Wno-unused-command-line-argument"});
  }
  // Inlined, they would have no entry and no exit.
  if (has_atomic_functions(arguments, directory)) add({"-fno-inline"});
  if (shape.links && compiler == Compiler::kClang) {
    // clang would link its own runtime statically. Ours has the name of gcc's, so that the program
    // also starts without Mazur where libtsan2 is installed. It comes first, as gcc's does: it has
    // functions in the place of libatomic's, too. (-Xlinker, because a bare file name would be a
    // source after -x.)
    add({"-fno-sanitize-link-runtime", "-Wl,--push-state,--no-as-needed"});
    command.insert(command.end(), {"-Xlinker", (installation.runtime / kRuntimeName).string()});
    add({"-Wl,--pop-state"});
  }
  command.insert(command.end(), arguments.begin(), arguments.end());

  // Searched last of all: the folder may be one that the compiler searches anyway, whose place must
  // not change.
  command.insert(command.end(), {"-idirafter", installation.include.string()});
  if (shape.links) {
    add({"-Wl,-z,now"});
    // SV-COMP's names, for programs that use them.
    if (const auto names = installation.runtime / kVerifierName; std::filesystem::exists(names))
      command.insert(command.end(), {"-Xlinker", names.string()});
    if (compiler == Compiler::kClang) add({"-lpthread"});
  }
  return command;
}

}  // namespace mazur
