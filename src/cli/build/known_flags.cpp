#include "cli/build/known_flags.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

namespace mazur {
namespace {

using Kind = KnownFlag::Kind;

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr std::string_view kWordCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+.-";

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

template <std::size_t n>
bool is_one_of(std::string_view text, const std::string_view (&list)[n]) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

constexpr std::string_view kWhole[] = {"-w",
                                       "-ansi",
                                       "-pedantic",
                                       "-pedantic-errors",
                                       "-pipe",
                                       "-pthread",
                                       "-m64",
                                       "-pie",
                                       "-no-pie",
                                       "-rdynamic",
                                       "-static-libgcc",
                                       "-static-libstdc++",
                                       "-O",
                                       "-Ofast",
                                       "-Os",
                                       "-Og",
                                       "-Oz",
                                       "-g",
                                       "-fuse-ld=bfd",
                                       "-fuse-ld=gold",
                                       "-fuse-ld=lld",
                                       "-stdlib=libc++",
                                       "-stdlib=libstdc++",
                                       "-fsanitize=thread"};

// After -f or -fno-.
constexpr std::string_view kFeatures[] = {"PIC",
                                          "PIE",
                                          "pic",
                                          "pie",
                                          "plt",
                                          "aligned-new",
                                          "associative-math",
                                          "asynchronous-unwind-tables",
                                          "builtin",
                                          "cf-protection",
                                          "char8_t",
                                          "color-diagnostics",
                                          "common",
                                          "concepts",
                                          "coroutines",
                                          "data-sections",
                                          "delete-null-pointer-checks",
                                          "diagnostics-color",
                                          "exceptions",
                                          "fast-math",
                                          "finite-math-only",
                                          "freestanding",
                                          "function-sections",
                                          "gnu89-inline",
                                          "hosted",
                                          "inline",
                                          "inline-functions",
                                          "inline-small-functions",
                                          "instrument-functions",
                                          "math-errno",
                                          "merge-constants",
                                          "ms-extensions",
                                          "non-call-exceptions",
                                          "omit-frame-pointer",
                                          "openmp",
                                          "operator-names",
                                          "optimize-sibling-calls",
                                          "permissive",
                                          "rtti",
                                          "semantic-interposition",
                                          "short-enums",
                                          "signed-char",
                                          "signed-zeros",
                                          "sized-deallocation",
                                          "stack-clash-protection",
                                          "stack-protector",
                                          "stack-protector-all",
                                          "stack-protector-strong",
                                          "strict-aliasing",
                                          "strict-overflow",
                                          "threadsafe-statics",
                                          "trapv",
                                          "trapping-math",
                                          "tree-vectorize",
                                          "unroll-loops",
                                          "unsafe-math-optimizations",
                                          "unsigned-char",
                                          "unwind-tables",
                                          "visibility-inlines-hidden",
                                          "wrapv"};

// These take a word: -ftemplate-depth=900, -march=native.
constexpr std::string_view kWithWord[] = {
    "-std=",          "-fvisibility=",         "-ftemplate-depth=", "-fconstexpr-depth=",
    "-fmax-errors=",  "-fconstexpr-steps=",    "-ferror-limit=",    "-fcf-protection=",
    "-ffp-contract=", "-fdiagnostics-color=",  "-march=",           "-mtune=",
    "-mfpmath=",      "-fconstexpr-ops-limit="};

// Instruction sets: after -m or -mno-, with any ending of letters and digits.
constexpr std::string_view kInstructions[] = {
    "sse",  "avx",  "bmi",   "fma",    "popcnt", "lzcnt",    "movbe", "aes", "pclmul",
    "cx16", "sahf", "rdrnd", "rdseed", "rtm",    "fsgsbase", "adx",   "sha"};

constexpr std::string_view kDebugInformation[] = {
    "",     "0",    "1",     "2",       "3",       "gdb",     "gdb0",   "gdb1",
    "gdb2", "gdb3", "dwarf", "dwarf-2", "dwarf-3", "dwarf-4", "dwarf-5"};

constexpr std::string_view kLinker[] = {"--as-needed",
                                        "--no-as-needed",
                                        "--push-state",
                                        "--pop-state",
                                        "--whole-archive",
                                        "--no-whole-archive",
                                        "--start-group",
                                        "--end-group",
                                        "-(",
                                        "-)",
                                        "--export-dynamic",
                                        "-E",
                                        "--gc-sections",
                                        "--no-gc-sections",
                                        "--no-undefined",
                                        "--build-id",
                                        "--hash-style=gnu",
                                        "--hash-style=both",
                                        "--hash-style=sysv",
                                        "-O1",
                                        "-O2",
                                        "-Bstatic",
                                        "-Bdynamic",
                                        "-Bsymbolic",
                                        "-Bsymbolic-functions",
                                        "--enable-new-dtags",
                                        "--disable-new-dtags"};

constexpr std::string_view kLinkerKeywords[] = {
    "now",  "lazy",        "relro",     "norelro",       "defs",
    "text", "noexecstack", "combreloc", "separate-code", "noseparate-code"};

constexpr std::string_view kFolders[] = {"-I", "-isystem", "-iquote", "-idirafter", "-L"};

// A folder as the user wrote it: with '=' or '$' in front a compiler would take it for another one.
bool is_plain_path(std::string_view path) {
  return !path.empty() && path[0] != '=' && path[0] != '$' && path[0] != '-';
}

bool is_feature(std::string_view flag) {
  if (!flag.starts_with("-f")) return false;
  flag.remove_prefix(2);
  if (is_one_of(flag, kFeatures)) return true;
  if (!flag.starts_with("no-")) return false;
  flag.remove_prefix(3);
  return is_one_of(flag, kFeatures) ||
         (flag.starts_with("builtin-") && consists_of(flag, kWordCharacters));
}

bool is_instruction_set(std::string_view flag) {
  if (!flag.starts_with("-m")) return false;
  flag.remove_prefix(flag.starts_with("-mno-") ? 5 : 2);
  return std::any_of(std::begin(kInstructions), std::end(kInstructions),
                     [&](std::string_view known) {
                       return flag.starts_with(known) && consists_of(flag, kWordCharacters);
                     });
}

bool is_harmless(std::string_view flag) {
  if (is_one_of(flag, kWhole) || is_feature(flag) || is_instruction_set(flag)) return true;
  for (const std::string_view known : kWithWord)
    if (flag.starts_with(known) && flag.size() > known.size() &&
        consists_of(flag.substr(known.size()), kWordCharacters))
      return true;
  if (flag.starts_with("-O")) return flag.size() == 3 && kDigits.find(flag[2]) != flag.npos;
  if (flag.starts_with("-g")) return is_one_of(flag.substr(2), kDebugInformation);
  // Warnings. What has a comma is for another program: -Wl, -Wa, -Wp.
  return flag.starts_with("-W") &&
         (consists_of(flag.substr(2), kWordCharacters) ||
          (flag.find('=') != flag.npos &&
           consists_of(flag.substr(2, flag.find('=') - 2), kWordCharacters) &&
           consists_of(flag.substr(flag.find('=') + 1), kWordCharacters)));
}

// NAME or NAME=NUMBER; with anything else a macro can be any code.
Kind macro_kind(std::string_view definition) {
  const std::size_t equals = definition.find('=');
  const std::string_view name = definition.substr(0, equals);
  if (name.empty() || kDigits.find(name[0]) != name.npos || !consists_of(name, kNameCharacters))
    return Kind::kCode;
  if (equals == definition.npos) return Kind::kHarmless;
  std::string_view value = definition.substr(equals + 1);
  if (value.empty()) return Kind::kHarmless;
  if (value[0] == '-') value.remove_prefix(1);
  const bool number =
      !value.empty() && kDigits.find(value[0]) != value.npos && consists_of(value, kNameCharacters);
  return number ? Kind::kHarmless : Kind::kCode;
}

bool is_library_name(std::string_view name) {
  if (name.starts_with(':')) name.remove_prefix(1);
  return !name.empty() && consists_of(name, kWordCharacters);
}

// The words of -Wl. Each option has its value beside it: otherwise what comes between could take
// the value's place.
KnownFlag linker_flag(std::string text, std::string_view rest) {
  KnownFlag flag{.kind = Kind::kHarmless, .text = std::move(text), .path = {}};
  const auto next = [&rest]() -> std::optional<std::string_view> {
    if (rest.data() == nullptr) return std::nullopt;
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    return word;
  };
  while (const auto word = next()) {
    if (is_one_of(*word, kLinker)) continue;
    std::string_view name = *word;
    std::optional<std::string_view> value;
    if (const std::size_t equals = name.find('='); equals != name.npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    } else {
      value = next();
    }
    if (value && name == "-z" && is_one_of(*value, kLinkerKeywords)) continue;
    const bool folder =
        name == "-rpath" || name == "--rpath" || name == "-rpath-link" || name == "--rpath-link";
    if (!value || !folder || !flag.path.empty() || !is_plain_path(*value) ||
        value->find(':') != value->npos)
      return {.kind = Kind::kRefused, .text = std::move(flag.text), .path = {}};
    flag.kind = Kind::kFolder;
    flag.path = *value;
  }
  return flag;
}

// An object or a library among the sources.
bool is_object(std::string_view word) {
  const std::string_view name = word.substr(word.rfind('/') + 1);
  return word[0] != '@' && word[0] != '-' &&
         (name.ends_with(".o") || name.ends_with(".a") || name.ends_with(".so") ||
          name.find(".so.") != name.npos);
}

// Takes the value of a flag: the rest of its word, or the next word.
class Words {
 public:
  explicit Words(std::span<const std::string> words) : words_(words) {}
  bool done() const { return at_ == words_.size(); }

  KnownFlag take() {
    const std::string& word = words_[at_++];
    KnownFlag flag = judged(word);
    if (has_control_characters(flag.text)) flag.kind = Kind::kRefused;
    return flag;
  }

 private:
  KnownFlag judged(const std::string& word) {
    if (word.empty()) return refused(word);
    if (word[0] != '-') return is_object(word) ? KnownFlag{Kind::kFile, word, word} : refused(word);
    if (word.starts_with("-Wl,")) return linker_flag(word, std::string_view(word).substr(4));
    if (is_harmless(word)) return {Kind::kHarmless, word, {}};
    for (const std::string_view name : kFolders)
      if (word.starts_with(name)) return with_path(word, name, Kind::kFolder);
    if (word == "-include") return with_path(word, word, Kind::kFile);
    if (word == "-z") {
      const auto value = value_of(word, "-z");
      return value && is_one_of(*value, kLinkerKeywords) ? known(Kind::kHarmless, word, *value)
                                                         : refused(word);
    }
    if (word.starts_with("-l")) {
      const auto value = value_of(word, "-l");
      return value && is_library_name(*value) ? known(Kind::kHarmless, word, *value)
                                              : refused(word);
    }
    if (word.starts_with("-D") || word.starts_with("-U")) {
      const auto value = value_of(word, word.substr(0, 2));
      return value && !value->empty() ? known(macro_kind(*value), word, *value) : refused(word);
    }
    return refused(word);
  }

  std::optional<std::string> value_of(const std::string& word, std::string_view name) {
    if (word.size() > name.size()) return word.substr(name.size());
    if (done()) return std::nullopt;
    return words_[at_++];
  }

  KnownFlag with_path(const std::string& word, std::string_view name, Kind kind) {
    const auto value = value_of(word, name);
    if (!value || !is_plain_path(*value)) return refused(word);
    KnownFlag flag = known(kind, word, *value);
    flag.path = *value;
    return flag;
  }

  static KnownFlag known(Kind kind, const std::string& word, const std::string& value) {
    return {kind, word.ends_with(value) && word != value ? word : word + " " + value, {}};
  }
  static KnownFlag refused(const std::string& word) { return {Kind::kRefused, word, {}}; }

  std::span<const std::string> words_;
  std::size_t at_ = 0;
};

}  // namespace

bool has_control_characters(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

std::vector<KnownFlag> known_flags(std::span<const std::string> words) {
  std::vector<KnownFlag> flags;
  Words left(words);
  while (!left.done()) flags.push_back(left.take());
  return flags;
}

}  // namespace mazur
