// Modules in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "modules/checked_module.h"

namespace mazur {

// Why code that is not seen and ran beside other threads keeps a check from being a proof, and what
// to do about it.
std::string no_proof(std::span<const CheckedModule* const> called);

// That an error may be due to such code.
std::string suspicion(std::span<const CheckedModule* const> suspects);

// The names of trusted modules with code that is not seen.
std::vector<std::string> trusted(std::span<const CheckedModule> modules);

// A line for each module: class, counts, path.
std::string module_table(std::span<const CheckedModule> modules);

}  // namespace mazur
