#include "machine/native/suppressions.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "machine/native/private_heap.h"
#include "machine/native/raw.h"

namespace mazur::native {
namespace {

// What the standard library does and what is no error of the program:
// std::atomic<std::shared_ptr>::load of libstdc++ 12 unlocks its pointer with a relaxed operation.
constexpr std::string_view kBuiltIn = "race_top:^std::_Sp_atomic<\n";

enum class Where : std::uint8_t { kAnyFrame, kTopFrame, kTopLibrary };

struct Suppression {
  Where where;
  std::string pattern;
};

std::vector<Suppression>& suppressions() {
  static auto& all = *new std::vector<Suppression>;
  return all;
}

// ---- Names of a return address: functions (inlined ones first), their files, the object.

using Names = std::vector<std::string>;

void ignore_error(void*, const char*, int) {}

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

int add_frame(void* names, std::uintptr_t, const char* file, int, const char* function) {
  if (function != nullptr) static_cast<Names*>(names)->push_back(demangled(function));
  if (file != nullptr) static_cast<Names*>(names)->emplace_back(file);
  return 0;
}

void add_symbol(void* names, std::uintptr_t, const char* symbol, std::uintptr_t, std::uintptr_t) {
  if (symbol != nullptr) static_cast<Names*>(names)->push_back(demangled(symbol));
}

std::string library_of(std::uint64_t pc) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(pc - 1), &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

Names names_of(std::uint64_t pc) {
  static backtrace_state* state = backtrace_create_state(nullptr, 0, ignore_error, nullptr);
  Names names;
  if (state != nullptr) {
    backtrace_pcinfo(state, pc - 1, add_frame, ignore_error, &names);
    backtrace_syminfo(state, pc - 1, add_symbol, ignore_error, &names);
  }
  names.push_back(library_of(pc));
  return names;
}

bool any_matches(const std::string& pattern, const Names& names) {
  for (const std::string& name : names)
    if (matches(pattern, name)) return true;
  return false;
}

// Reading debug information takes long: a frame's names are looked up when they are asked for.
class NamedStack {
 public:
  explicit NamedStack(std::span<const std::uint64_t> stack) : stack_(stack), names_(stack.size()) {}
  const Names& operator[](std::size_t frame) {
    if (names_[frame].empty()) names_[frame] = names_of(stack_[frame]);
    return names_[frame];
  }

 private:
  std::span<const std::uint64_t> stack_;
  std::vector<Names> names_;
};

bool is_suppressed_in(std::span<const std::uint64_t> stack) {
  if (stack.empty()) return false;
  NamedStack names(stack);
  for (const Suppression& suppression : suppressions()) {
    if (suppression.where == Where::kTopLibrary) {
      if (matches(suppression.pattern, library_of(stack[0]))) return true;
      continue;
    }
    const std::size_t frames = suppression.where == Where::kTopFrame ? 1 : stack.size();
    for (std::size_t i = 0; i < frames; ++i)
      if (any_matches(suppression.pattern, names[i])) return true;
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace

bool matches(std::string_view pattern, std::string_view name) {
  const bool from_start = pattern.starts_with('^');
  if (from_start) pattern.remove_prefix(1);
  const bool to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  // The parts between stars have to come one after the other.
  std::size_t at = 0;
  bool anchored = from_start;
  while (true) {
    const std::size_t star = pattern.find('*');
    const std::string_view part = pattern.substr(0, star);
    const bool last = star == std::string_view::npos;
    std::size_t found = name.find(part, at);
    if (last && to_end)
      found = name.size() >= at + part.size() && name.ends_with(part) ? name.size() - part.size()
                                                                      : std::string_view::npos;
    if (found == std::string_view::npos || (anchored && found != at)) return false;
    at = found + part.size();
    anchored = false;
    if (last) return true;
    pattern.remove_prefix(star + 1);
  }
}

void add_suppressions(std::string_view lines) {
  PrivateHeapScope scope;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = trimmed(lines.substr(0, end));
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    const std::string_view type = line.substr(0, colon);
    const std::string pattern(line.substr(colon + 1));
    if (type == "race") suppressions().push_back({Where::kAnyFrame, pattern});
    if (type == "race_top") suppressions().push_back({Where::kTopFrame, pattern});
    if (type == "called_from_lib") suppressions().push_back({Where::kTopLibrary, pattern});
  }
}

void read_suppressions(const char* path) {
  PrivateHeapScope scope;
  const long file = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY);
  if (file < 0) die("the suppressions in %s cannot be read (error %ld)", path, -file);
  std::string text;
  char buffer[4096];
  for (;;) {
    const long got = raw_syscall(SYS_read, file, reinterpret_cast<long>(buffer), sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  raw_syscall(SYS_close, file);
  add_suppressions(text);
}

bool is_suppressed(std::span<const std::uint64_t> later, std::span<const std::uint64_t> earlier) {
  static const bool built_in = (add_suppressions(kBuiltIn), true);
  return built_in && (is_suppressed_in(later) || is_suppressed_in(earlier));
}

}  // namespace mazur::native
