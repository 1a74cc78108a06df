// Any command line of `mazur check`: it is understood, or refused with a sentence. The input has a
// word in every line.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/build/toolchain.h"
#include "cli/options/check_options.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mazur;
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < size && data[i] != 0; ++i) {
    if (data[i] == '\n')
      words.emplace_back();
    else
      words.back() += static_cast<char>(data[i]);
  }
  try {
    bool help = false;
    const CheckOptions options = parse_check(words, help);
    if (!help && options.sources.empty() && options.executable.empty() && options.model.empty())
      std::abort();
    if (options.request.nondet_given != 0 &&
        options.request.nondet_highest < options.request.nondet_lowest)
      std::abort();
    return 1;
  } catch (const UsageError& error) {
    if (std::string_view(error.what()).empty()) std::abort();
    return 0;
  }
}
