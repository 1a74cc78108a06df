#include "machine/native/system/property.h"

#include <cstdio>
#include <cstring>

#include "machine/native/engine/fiber.h"
#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

// A program of several files may have a static function of that name in each.
constexpr std::size_t kMost = 64;
std::uint64_t functions[kMost];
std::size_t count = 0;
bool any_functions = false;

// What is reported now is the violation itself.
bool violated = false;

Property property() {
  return runtime.channel != nullptr ? runtime.channel->request.property : Property::kNone;
}

bool never(const Fiber&) { return false; }

}  // namespace

bool only_ends_execution(FailureKind kind) {
  const bool is_violation = violated;
  violated = false;
  return !is_violation && only_ends(kind, property());
}

void stop_for_good(const void* pc) {
  visible({.kind = OpKind::kNever}, pc, {.enabled = never});
  __builtin_unreachable();
}

void stop_if_in_block(const void* pc) {
  if (runtime.in_block && property() != Property::kNone) stop_for_good(pc);
}

void note_function(const char* name, std::uint64_t address) {
  any_functions = true;
  if (property() != Property::kUnreachCall) return;
  const char* wanted = runtime.channel->request.property_function;
  char in_cxx[96];
  std::snprintf(in_cxx, sizeof in_cxx, "_Z%zu%sv", std::strlen(wanted), wanted);
  if (std::strcmp(name, wanted) == 0 || std::strcmp(name, in_cxx) == 0)
    functions[count++] = address;
  if (count == kMost) die("more than 63 functions are called %s", wanted);
}

void all_functions_noted() {
  if (property() == Property::kUnreachCall && !any_functions)
    die("the program has no symbol table, so calls of %s cannot be seen: do not strip it",
        runtime.channel->request.property_function);
}

void verifier_function_called(const char* call) {
  violated = runtime.running && property() == Property::kUnreachCall;
  fail(FailureKind::kAssertion, "%s was called", call);
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT void __cyg_profile_func_enter(void* function, void*) {
  for (std::size_t i = 0; i < count; ++i) {
    if (functions[i] != reinterpret_cast<std::uint64_t>(function)) continue;
    char call[80];
    std::snprintf(call, sizeof call, "%s()", runtime.channel->request.property_function);
    verifier_function_called(call);
  }
}
MAZUR_EXPORT void __cyg_profile_func_exit(void*, void*) {}
