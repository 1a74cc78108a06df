#include "cli/run/unseen_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/findings/symbols.h"
#include "report/module_lines.h"

namespace mazur {
namespace {

// "queue.cpp:12", or the function's name, or "".
std::string place_of(const std::vector<std::uint64_t>& stack, Symbols& symbols) {
  Places places;
  for (const std::uint64_t pc : stack) places.code[pc] = symbols.frames(pc);
  const Frame frame = places.where(stack);
  return frame.line != 0 ? fmt::format("{}:{}", frame.file, frame.line) : frame.function;
}

// A program counter of a call stack is one past what it stands for.
bool is_inside(std::uint64_t pc, const CheckedModule& module) {
  return module.begin < pc && pc <= module.end;
}

void find_places(std::vector<CheckedModule>& modules) {
  std::vector<Module> loaded;
  for (const CheckedModule& module : modules)
    loaded.push_back({module.base, module.begin, module.end, module.path});
  Symbols symbols(loaded);
  for (CheckedModule& module : modules) {
    // For a library: the line that led into it.
    std::vector<std::uint64_t> outside;
    if (module.facts.kind == ModuleClass::kUnseen)
      std::copy_if(module.callers.begin(), module.callers.end(), std::back_inserter(outside),
                   [&module](std::uint64_t pc) { return !is_inside(pc, module); });
    const auto& stack = outside.empty() ? module.callers : outside;
    if (!stack.empty()) module.place = place_of(stack, symbols);
  }
}

// Errors that code can seem to have whose locks and atomic operations are not seen.
bool can_be_false(FailureKind kind) {
  return kind == FailureKind::kDataRace || kind == FailureKind::kLivelock ||
         kind == FailureKind::kDeadlock || kind == FailureKind::kUnsupported;
}

bool passes_through(const Record& record, const CheckedModule& module) {
  const auto inside = [&module](std::uint64_t pc) { return is_inside(pc, module); };
  const auto any = [&inside](const std::vector<std::uint64_t>& stack) {
    return std::any_of(stack.begin(), stack.end(), inside);
  };
  return any(record.stack) || any(record.other.stack) ||
         std::any_of(record.threads.begin(), record.threads.end(),
                     [&any](const ThreadState& thread) { return any(thread.stack); });
}

}  // namespace

void consider_modules(Result& result, std::vector<CheckedModule> modules) {
  const auto unseen = [](const CheckedModule& module) { return module.has_unseen_code(); };
  if (std::any_of(modules.begin(), modules.end(), unseen)) find_places(modules);
  result.modules = std::move(modules);
  std::vector<const CheckedModule*> called;
  for (const CheckedModule& module : result.modules)
    if (module.called && !module.trusted) called.push_back(&module);
  for (Finding& finding : result.findings) {
    if (!can_be_false(finding.record.kind)) continue;
    std::vector<const CheckedModule*> suspects = called;
    for (const CheckedModule& module : result.modules)
      if (module.facts.kind == ModuleClass::kUnseen && passes_through(finding.record, module) &&
          std::find(suspects.begin(), suspects.end(), &module) == suspects.end())
        suspects.push_back(&module);
    if (!suspects.empty()) finding.hint = suspicion(suspects);
  }
  if (called.empty()) return;
  if (result.verdict != Verdict::kVerified && result.verdict != Verdict::kIncomplete) return;
  result.verdict = Verdict::kIncomplete;
  result.reason += (result.reason.empty() ? "" : "; ") + no_proof(called);
}

std::vector<std::string> without_module(const std::vector<std::string>& trust,
                                        const std::vector<CheckedModule>& modules) {
  std::vector<std::string> names;
  for (const std::string& given : trust)
    if (std::none_of(modules.begin(), modules.end(), [&given](const CheckedModule& module) {
          return is_named(given, module.path, module.facts.soname);
        }))
      names.push_back(given);
  return names;
}

}  // namespace mazur
