#include "run_mazur.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>

#include "built_programs.h"
#include "checks/schema.h"
#include "cli/spawn.h"

namespace mazur::test {
namespace {

// Every result of these tests is what the documentation says.
void require_valid(const nlohmann::json& result, const std::string& text) {
  static Schema schema(MAZUR_TEST_SOURCES "/../docs/schemas/result.schema.json");
  for (const std::string& problem : schema.violations(result))
    ADD_FAILURE() << "not as in docs/schemas/result.schema.json: " << problem << "\n" << text;
}

void require_valid(const MazurRun& run) {
  if (!run.result.contains("cases")) return require_valid(run.result, run.text);
  for (const nlohmann::json& test : run.result["cases"]) {
    if (!test.contains("result")) continue;
    // What is the same for all cases stands outside.
    nlohmann::json result = test["result"];
    for (const char* field : {"tool", "version", "program"}) result[field] = run.result[field];
    result["directory"] = "";
    require_valid(result, run.text);
  }
}

}  // namespace

MazurRun run_mazur(const std::vector<std::string>& words, const std::filesystem::path& folder,
                   const std::string& mazur) {
  std::vector<std::string> command{mazur};
  command.insert(command.end(), words.begin(), words.end());
  const Finished finished = spawn(command, folder.string());
  MazurRun run;
  run.exit_code = finished.code;
  for (const std::string& word : command) run.text += word + " ";
  run.text += "\n" + finished.out + finished.err + "\n";
  std::ifstream json(folder / "result.json");
  if (!json) return run;
  run.result = nlohmann::json::parse(json, nullptr, false);
  require_valid(run);
  return run;
}

namespace {

// What mazur hands to the compiler; the rest is for mazur itself.
bool is_for_compiler(const std::string& flag) {
  return !flag.starts_with("--") || flag.starts_with("--compiler=");
}

std::vector<std::string> with_flags_of(const std::filesystem::path& source,
                                       const std::vector<std::string>& flags) {
  std::vector<std::string> all = flags_of(source);
  for (const std::string& flag : flags) {
    // The list of what is built has the language standard once.
    if (flag.starts_with("-std=") && std::ranges::find(all, flag) != all.end()) continue;
    all.push_back(flag);
  }
  return all;
}

}  // namespace

MazurRun check(const std::filesystem::path& source, const std::vector<std::string>& flags,
               bool quiet) {
  const Scratch folder;
  std::vector<std::string> compiler, own;
  bool for_program = false;  // what stands after "--"
  for (const std::string& flag : with_flags_of(source, flags)) {
    for_program = for_program || flag == "--";
    (!for_program && is_for_compiler(flag) ? compiler : own).push_back(flag);
  }
  const auto built = built_program(source, compiler);
  std::vector<std::string> words{"check", built.value_or(source).string(), "--json=result.json",
                                 "--no-trace"};
  if (quiet) words.push_back("--quiet");
  if (!built) {
    // As the build does; a flag that comes later wins.
    if (source.extension() == ".c" || source.extension() == ".cpp") words.emplace_back("-O0");
    words.insert(words.end(), compiler.begin(), compiler.end());
  }
  words.insert(words.end(), own.begin(), own.end());
  return run_mazur(words, folder.path());
}

std::filesystem::path build(const std::filesystem::path& source,
                            const std::vector<std::string>& flags,
                            const std::filesystem::path& folder) {
  const std::vector<std::string> all = with_flags_of(source, flags);
  const std::filesystem::path program = folder / source.stem();
  if (const auto built = built_program(source, all)) {
    // A trace file may only name programs below its folder.
    // A process of the last one may still be about to end: its file cannot be written, but be replaced.
    std::filesystem::remove(program);
    std::filesystem::copy_file(*built, program);
    return program;
  }
  std::vector<std::string> words{source.extension() == ".c" ? "cc" : "c++", source.string(), "-o",
                                 program.string()};
  words.insert(words.end(), all.begin(), all.end());
  const MazurRun run = run_mazur(words, folder);
  if (run.exit_code != 0) std::fprintf(stderr, "%s\n", run.text.c_str());
  return program;
}

std::vector<std::string> programs_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp")
      names.push_back(entry.path().lexically_relative(folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const std::string& program) {
  std::string name = std::filesystem::path(program).filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

nlohmann::json manifest_entry(const std::filesystem::path& source) {
  const std::filesystem::path folder = source.parent_path();
  for (const std::filesystem::path& above : {folder, folder.parent_path()}) {
    std::ifstream in(above / "manifest.json");
    if (!in) continue;
    for (const auto& entry : nlohmann::json::parse(in))
      if (entry["program"] == source.lexically_relative(above).string()) return entry;
  }
  return nullptr;
}

std::vector<std::string> flags_of(const std::filesystem::path& source) {
  const nlohmann::json entry = manifest_entry(source);
  if (entry.is_object() && entry.contains("flags")) return entry["flags"];
  if (source.extension() == ".cpp") return {"-std=c++20"};
  return {};
}

}  // namespace mazur::test
