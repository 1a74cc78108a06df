#include "machine/native/races/suppressions.h"

#include <backtrace.h>
#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/races/suppression_list.h"

namespace mazur::native {
namespace {

// What the standard library does, and what is therefore no error of the program:
// std::atomic<std::shared_ptr>::load of libstdc++ 12 unlocks its pointer with a relaxed operation.
constexpr std::string_view kBuiltIn = "race_top:^std::_Sp_atomic<\n";

// A larger file is no list that somebody wrote; it may be a device.
constexpr std::size_t kLargestFile = 16u << 20;

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

}  // namespace

void add_suppressions(std::string_view lines) {
  PrivateHeapScope scope;
  for (Suppression& suppression : parse_suppressions(lines))
    suppressions().push_back(std::move(suppression));
}

void read_suppressions(const char* path) {
  PrivateHeapScope scope;
  const long file = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY);
  if (file < 0) die("the suppressions in %s cannot be read (error %ld)", path, -file);
  std::string text;
  char buffer[4096];
  while (text.size() <= kLargestFile) {
    const long got = raw_syscall(SYS_read, file, reinterpret_cast<long>(buffer), sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<std::size_t>(got));
  }
  raw_syscall(SYS_close, file);
  if (text.size() > kLargestFile) die("the file of suppressions %s is too large", path);
  add_suppressions(text);
}

bool is_suppressed(std::span<const std::uint64_t> later, std::span<const std::uint64_t> earlier) {
  static const bool built_in = (add_suppressions(kBuiltIn), true);
  return built_in && (is_suppressed_in(later) || is_suppressed_in(earlier));
}

}  // namespace mazur::native
