#include "cli/build/build.h"

#include <array>
#include <string_view>

#include "base/hash.h"
#include "cli/build/known_flags.h"
#include "cli/run/process.h"
#include "report/findings/files.h"

namespace mazur {
namespace {

constexpr std::string_view kOut = "@OUT@";

Language language_of(const std::filesystem::path& source) {
  return source.extension() == ".c" || source.extension() == ".i" ? Language::kC : Language::kCxx;
}

// A flag with its value, and for which part of the work it is.
struct Flag {
  std::vector<std::string> words;
  bool links = false;     // only for linking
  bool compiles = false;  // only for compiling
  bool c = true, cxx = true;
};

std::vector<Flag> classify(const std::vector<std::string>& flags) {
  std::vector<Flag> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string_view word = flags[i];
    Flag flag{.words = {flags[i]}};
    flag.links = !word.starts_with('-') || word.starts_with("-l") || word.starts_with("-L") ||
                 word.starts_with("-Wl,") || word == "-Xlinker" || word.starts_with("-static") ||
                 word == "-rdynamic" || word == "-shared";
    flag.compiles = word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-I") ||
                    word == "-include" || word == "-isystem" || word == "-iquote" ||
                    word.starts_with("-std=");
    if (word.starts_with("-std=")) {
      flag.cxx = word.find("++") != std::string_view::npos;
      flag.c = !flag.cxx;
    }
    if (takes_next_word(word) && i + 1 < flags.size()) flag.words.push_back(flags[++i]);
    result.push_back(std::move(flag));
  }
  return result;
}

}  // namespace

bool is_source(const std::filesystem::path& file) {
  // .i and .ii are preprocessed already.
  constexpr std::array<std::string_view, 8> kExtensions = {".c",   ".cc", ".cpp", ".cxx",
                                                           ".c++", ".C",  ".i",   ".ii"};
  const std::string extension = file.extension().string();
  for (const std::string_view known : kExtensions)
    if (extension == known) return true;
  return false;
}

Build plan_build(Compiler compiler, const std::vector<std::string>& sources,
                 const std::vector<std::string>& flags, const Installation& installation,
                 const std::string& directory) {
  Build build;
  build.directory = directory;
  build.output = std::filesystem::path(sources.front()).stem().string();
  const std::string program = std::string(kOut) + "/" + build.output;
  Language link_language = Language::kC;
  for (const std::string& source : sources)
    if (language_of(source) == Language::kCxx) link_language = Language::kCxx;

  if (sources.size() == 1) {
    std::vector<std::string> words{sources.front()};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"-o", program});
    build.link = compiler_command(compiler, link_language, words, installation, directory);
    return build;
  }

  const std::vector<Flag> parts = classify(flags);
  std::vector<std::string> link;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Language language = language_of(sources[i]);
    const std::string object = std::string(kOut) + "/" + std::to_string(i) + ".o";
    std::vector<std::string> words{"-c", sources[i], "-o", object};
    for (const Flag& flag : parts) {
      if (!flag.links && (language == Language::kC ? flag.c : flag.cxx))
        words.insert(words.end(), flag.words.begin(), flag.words.end());
    }
    build.compile.push_back(compiler_command(compiler, language, words, installation, directory));
    link.push_back(object);
  }
  for (const Flag& flag : parts)
    if (!flag.compiles) link.insert(link.end(), flag.words.begin(), flag.words.end());
  link.insert(link.end(), {"-o", program});
  build.link = compiler_command(compiler, link_language, link, installation, directory);
  return build;
}

Recipe make_recipe(Compiler compiler, const std::vector<std::string>& sources,
                   const std::vector<std::string>& flags) {
  const auto recorded = [](const std::string& path) {
    const auto contents = read_regular_file(path);
    return RecordedFile{path, contents ? fnv1a(*contents) : 0};
  };
  Recipe recipe{.compiler = compiler == Compiler::kClang ? "clang" : "gcc",
                .directory = std::filesystem::current_path().string(),
                .sources = {},
                .flags = flags,
                .objects = {}};
  for (const std::string& source : sources) recipe.sources.push_back(recorded(source));
  for (const KnownFlag& flag : known_flags(flags))
    if (flag.kind == KnownFlag::Kind::kFile) recipe.objects.push_back(recorded(flag.path));
  return recipe;
}

std::optional<std::filesystem::path> run_build(const Build& build,
                                               const std::filesystem::path& folder) {
  const auto placed = [&folder](std::vector<std::string> command) {
    for (std::string& word : command)
      if (word.starts_with(kOut)) word.replace(0, kOut.size(), folder.string());
    return command;
  };
  std::vector<std::vector<std::string>> compile;
  for (const auto& command : build.compile) compile.push_back(placed(command));
  if (!run_all(compile, build.directory)) return std::nullopt;
  if (!run_all({placed(build.link)}, build.directory)) return std::nullopt;
  return folder / build.output;
}

}  // namespace mazur
