// The programs of the LazyPOR thesis' experiments, for any number of processes.
#pragma once

#include <fmt/format.h>

#include <string>

namespace mazur::dlang {

// Listings 6.1 and A.1.
inline std::string readers_writers(int processes) {
  return fmt::format(
      "<\"readers-writers\" {0}, x 1, l {1}>\n[x := 42]\n"
      "<{{{1}\n  [\n    if l[$] == 0\n    if x == 0\n  ]\n}}>\n",
      processes, processes - 1);
}

inline std::string indexer(int processes, int max, int factor) {
  return fmt::format(
      "<\"indexer\" {0}, const max 1 {1}, const size 1 128, local m 1, local w 1, local h 1, "
      "table 128>\n<{{{0}\n"
      "  [ indexer(max=max, size=size, m=m, w=w, h=h, target=table[h], nprocs={2}) ]\n}}>\n",
      processes, max, factor);
}
// Listing 6.2, and its variant in section 6.3.3.
inline std::string indexer(int processes) { return indexer(processes, 4, 11); }
inline std::string indexer_small(int processes) { return indexer(processes, 2, 2); }

// Listing 6.3.
inline std::string branching(int processes) {
  return fmt::format(
      "<\"branching\" {0}, x {0}>\n<{{{0}\n  [\n"
      "    if x[$] == 0 then {{ x[$ + 1 % {0}] := 1 }}\n"
      "    if x[$] == 0 then {{ x[$ + 1 % {0}] := 1 }}\n  ]\n}}>\n",
      processes);
}

}  // namespace mazur::dlang
