#include "report/module_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace mazur {
namespace {

constexpr std::size_t kNamed = 3;

// "libx.so.1 (2 atomic instructions, 0 system calls)", of several the first ones.
std::string listed(std::span<const CheckedModule* const> modules) {
  std::string text;
  for (const CheckedModule* module : modules.first(std::min(modules.size(), kNamed))) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} ({}{})", module->name, module->is_mixed() ? "in part: " : "",
                        why_unseen(module->facts));
  }
  if (modules.size() > kNamed) text += fmt::format(" and {} more", modules.size() - kNamed);
  return text;
}

std::string trust_options(std::span<const CheckedModule* const> modules) {
  std::string text;
  for (const CheckedModule* module : modules.first(std::min(modules.size(), kNamed)))
    text += (text.empty() ? "--trust=" : " --trust=") + module->name;
  return text + (modules.size() > kNamed ? " ..." : "");
}

}  // namespace

std::string no_proof(std::span<const CheckedModule* const> called) {
  std::string place;
  for (const CheckedModule* module : called)
    if (place.empty()) place = module->place;
  return fmt::format(
      "several threads existed while code ran that Mazur does not see{}: {}; build it with 'mazur "
      "cc' or 'mazur c++', or give {} if threads share nothing through it",
      place.empty() ? "" : fmt::format(" (first at {})", place), listed(called),
      trust_options(called));
}

std::string suspicion(std::span<const CheckedModule* const> suspects) {
  return fmt::format(
      "this may be no error: Mazur does not see what {} does between threads; build it with "
      "'mazur cc' or 'mazur c++'",
      listed(suspects));
}

std::vector<std::string> trusted(std::span<const CheckedModule> modules) {
  std::vector<std::string> names;
  for (const CheckedModule& module : modules)
    if (module.trusted && module.has_unseen_code()) names.push_back(module.name);
  return names;
}

std::string module_table(std::span<const CheckedModule> modules) {
  std::string text = fmt::format("{:<13} {:>6} {:>6} {:>8}  {}\n", "class", "atomic", "system",
                                 "imports", "module");
  for (const CheckedModule& module : modules) {
    const ModuleFacts& facts = module.facts;
    const bool looked = facts.kind != ModuleClass::kKnown && facts.readable;
    const auto number = [looked](std::uint64_t value) {
      return looked ? fmt::format("{}", value) : std::string("-");
    };
    text += fmt::format(
        "{:<13} {:>6} {:>6} {:>8}  {}{}\n", name_of(facts.kind), number(facts.instructions.atomic),
        number(facts.instructions.system_calls), number(facts.imports.size()),
        module.path.empty() ? module.name : module.path, facts.readable ? "" : " (cannot be read)");
  }
  return text;
}

}  // namespace mazur
