// Which compiler flags a trace file may bring along, by their spelling alone.
//
// A compiler can be told to run or load anything: plugins, wrappers, spec files, other linkers,
// another dynamic loader for the program. So only flags of a list are known, and everything else is
// refused, whatever it may mean to a compiler of tomorrow.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mazur {

// A flag together with its value.
struct KnownFlag {
  enum class Kind {
    kHarmless,  // changes how the sources are compiled, and brings in nothing
    kCode,      // brings text of its own into the sources: a macro that is no number
    kFolder,    // `path` is searched for headers or libraries
    kFile,      // `path` is read as source or linked
    kRefused,   // unknown, or able to run or load code
  };
  Kind kind = Kind::kRefused;
  std::string text;  // as it was written
  std::string path;
};

// `words` are flags, and names of objects and libraries, as Recipe::flags has them.
std::vector<KnownFlag> known_flags(std::span<const std::string> words);

// Whether a word has characters that no terminal should get to see unescaped.
bool has_control_characters(std::string_view word);

}  // namespace mazur
