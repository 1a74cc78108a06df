#include "modules/module_class.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

namespace mazur {
namespace {

// So much code is decoded faster than an entry of the cache is read.
constexpr std::uint64_t kWorthKeeping = 64 << 10;
constexpr std::uint64_t kLargestFile = 1u << 30;

constexpr std::array<std::string_view, 12> kKnown = {
    "libc.so.6",       "libm.so.6",    "libmvec.so.1",    "ld-linux-x86-64.so.2",
    "libgcc_s.so.1",   "libdl.so.2",   "libpthread.so.0", "librt.so.1",
    "linux-vdso.so.1", "libutil.so.1", "libstdc++.so.6",  "libtsan.so.2",
};

// Names of functions that begin like this: locks, threads, waiting.
constexpr std::array<std::string_view, 16> kThreadingPrefixes = {
    "pthread_",
    "__pthread_",
    "sem_",
    "thrd_",
    "mtx_",
    "cnd_",
    "tss_",
    "__atomic_",
    "mq_",
    "sigwait",
    "aio_",
    "__cxa_guard_",
    "_ZNSt6thread",
    "_ZNSt11this_thread",
    "_ZNSt18condition_variable",
    "_ZNSt28__atomic_futex_unsigned_base",
};
// And whole names. dlopen and dlsym can find any other.
constexpr std::array<std::string_view, 25> kThreadingNames = {
    "syscall",    "call_once",  "sched_yield", "nanosleep",    "clock_nanosleep",
    "usleep",     "sleep",      "poll",        "ppoll",        "select",
    "pselect",    "epoll_wait", "epoll_pwait", "eventfd_read", "pause",
    "sigsuspend", "wait",       "waitpid",     "waitid",       "msgrcv",
    "semop",      "clone",      "dlopen",      "dlsym",        "dlvsym",
};

// Hooks that compilers call in instrumented code. Not __tsan_init, which linking alone brings
// along.
constexpr std::array<std::string_view, 7> kHookPrefixes = {
    "__tsan_func_entry", "__tsan_read",   "__tsan_write", "__tsan_unaligned",
    "__tsan_volatile",   "__tsan_atomic", "__tsan_vptr",
};

template <std::size_t N>
bool begins_with_one_of(const std::array<std::string_view, N>& prefixes, std::string_view name) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_threading(std::string_view name) {
  return begins_with_one_of(kThreadingPrefixes, name) ||
         std::find(kThreadingNames.begin(), kThreadingNames.end(), name) != kThreadingNames.end();
}

std::optional<std::string> read_module(const std::filesystem::path& path) {
  // A checked program says where its modules lie: what is there may be a pipe.
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat status {};
  std::optional<std::string> bytes;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<std::uint64_t>(status.st_size) <= kLargestFile) {
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t at = 0;
    for (ssize_t got = 1; got > 0 && at < text.size(); at += static_cast<std::size_t>(got))
      if (got = read(file, text.data() + at, text.size() - at); got < 0) got = 0;
    if (at == text.size()) bytes = std::move(text);
  }
  close(file);
  return bytes;
}

Instructions instructions_of(const ElfFile& file, const FactCache& cache) {
  const std::vector<ElfFile::Code> code = file.code();
  const CodeKey key = key_of(file, code);
  const bool worth_keeping = key.size >= kWorthKeeping;
  if (worth_keeping)
    if (auto found = cache.find(key, code)) return *std::move(found);
  Instructions found = find_instructions(code, file.function_starts());
  if (worth_keeping) cache.keep(key, found);
  return found;
}

// "libglib-2.0" of "libglib-2.0.so.0.7400.6".
std::string_view without_version(std::string_view name) {
  for (std::size_t at = name.find(".so"); at != std::string_view::npos;
       at = name.find(".so", at + 1))
    if (at + 3 == name.size() || name[at + 3] == '.') return name.substr(0, at);
  return name;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

}  // namespace

std::string_view name_of(ModuleClass kind) {
  switch (kind) {
    case ModuleClass::kInstrumented:
      return "instrumented";
    case ModuleClass::kKnown:
      return "known";
    case ModuleClass::kQuiet:
      return "quiet";
    case ModuleClass::kUnseen:
      return "unseen";
  }
  return "";
}

ModuleFacts facts_of_bytes(std::span<const char> bytes, const FactCache& cache) {
  ModuleFacts facts;
  const ElfFile file(bytes);
  if (!file.is_x86_64()) return facts;
  facts.readable = true;
  facts.soname = file.soname();
  facts.instructions = instructions_of(file, cache);
  bool instrumented = false;
  for (const std::string_view name : file.undefined()) {
    if (begins_with_one_of(kHookPrefixes, name)) instrumented = true;
    if (is_threading(name)) facts.imports.emplace_back(name);
  }
  facts.kind = instrumented                                         ? ModuleClass::kInstrumented
               : facts.instructions.none() && facts.imports.empty() ? ModuleClass::kQuiet
                                                                    : ModuleClass::kUnseen;
  return facts;
}

ModuleFacts facts_of(const std::filesystem::path& path, const FactCache& cache) {
  ModuleFacts facts;
  const std::string name = path.filename().string();
  if (std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end()) {
    facts.kind = ModuleClass::kKnown;
    facts.readable = true;
    return facts;
  }
  if (const auto bytes = read_module(path)) return facts_of_bytes(*bytes, cache);
  return facts;
}

std::string why_unseen(const ModuleFacts& facts) {
  if (!facts.readable) return "its file cannot be read";
  const Instructions& found = facts.instructions;
  // The two counts that matter are named even if they are 0.
  std::string text = counted(found.atomic, "atomic instruction") + ", " +
                     counted(found.system_calls, "system call");
  if (facts.kind == ModuleClass::kInstrumented) return text;  // the rest of it is seen
  if (found.pauses > 0) text += ", " + counted(found.pauses, "pause");
  if (found.undecoded > 0) text += ", " + counted(found.undecoded, "undecoded byte");
  if (!facts.imports.empty())
    text += fmt::format(", {} such as {}", counted(facts.imports.size(), "threading function"),
                        facts.imports.front());
  return text;
}

bool is_named(std::string_view given, const std::filesystem::path& path, std::string_view soname) {
  const std::string file = path.filename().string();
  if (given == path.string()) return true;
  if (given.ends_with('*')) {
    given.remove_suffix(1);
    return file.starts_with(given) || soname.starts_with(given);
  }
  for (const std::string_view name : {std::string_view(file), soname}) {
    if (name.empty()) continue;
    if (given == name || given == without_version(name)) return true;
    // libx.so of libx.so.1
    if (name.starts_with(given) && without_version(given) == without_version(name) &&
        (name.size() == given.size() || name[given.size()] == '.'))
      return true;
  }
  return false;
}

}  // namespace mazur
