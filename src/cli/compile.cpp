// mazur c++ and mazur cc: the compiler with instrumentation.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "cli/build/compiler_path.h"
#include "cli/commands.h"
#include "cli/options/options.h"
#include "cli/run/process.h"

namespace mazur {

int compile_command(Language language, const Arguments& arguments) {
  constexpr std::array<std::string_view, 2> kCompilers = {"gcc", "clang"};
  constexpr std::string_view kOption = "--compiler=";
  Compiler compiler = Compiler::kGcc;
  Arguments words;
  for (const std::string& word : arguments) {
    if (word.starts_with(kOption)) {
      compiler =
          static_cast<Compiler>(parse_one_of("compiler", word.substr(kOption.size()), kCompilers));
    } else {
      words.push_back(word);
    }
  }
  // A shim was called by Mazur, with a command that is whole already.
  if (std::getenv(kTriedCompilers) != nullptr) {
    words.insert(words.begin(), driver_name(compiler, language));
    exec_program(words);
  }
  exec_program(compiler_command(compiler, language, words, find_installation()));
}

}  // namespace mazur
