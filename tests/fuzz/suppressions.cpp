// Any file of suppressions, and any name that its patterns may match. The input is the file, a zero
// byte, and the name.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "machine/native/races/suppression_list.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mazur::native;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = input.find('\0');
  const std::string_view name = zero == std::string_view::npos ? "" : input.substr(zero + 1);
  int found = 0;
  for (const Suppression& suppression : parse_suppressions(input.substr(0, zero))) {
    const std::string_view pattern = suppression.pattern;
    const bool matched = matches(pattern, name);
    // A pattern without signs is a part of the name.
    if (pattern.find_first_of("*^$") == std::string_view::npos &&
        matched != (name.find(pattern) != std::string_view::npos))
      std::abort();
    found += matched ? 1 : 0;
  }
  return found > 0 ? 1 : 0;
}
