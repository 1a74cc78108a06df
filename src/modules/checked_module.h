// A module of a checked program, with what became of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/module_class.h"

namespace mazur {

struct CheckedModule {
  std::uint64_t base = 0;  // what to subtract from an address to get one of the file
  std::uint64_t begin = 0, end = 0;
  std::string path;
  std::string name;  // as a user would call it: the soname, or else the name of the file
  ModuleFacts facts;
  bool trusted = false;                // --trust: reports say only that
  bool called = false;                 // its unseen code ran while several threads existed
  std::vector<std::uint64_t> callers;  // the call stack then, innermost first; may be empty
  std::string place;                   // the source line there; may be empty

  // Whether it is compiled for Mazur and has other code in it: inline assembly, an archive.
  bool is_mixed() const {
    return facts.kind == ModuleClass::kInstrumented && !facts.instructions.places.empty();
  }
  bool has_unseen_code() const { return facts.kind == ModuleClass::kUnseen || is_mixed(); }
};

}  // namespace mazur
