#include "run_mazur.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "../cli/spawn.h"

namespace mazur::test {

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
  if (json) run.result = nlohmann::json::parse(json, nullptr, false);
  return run;
}

MazurRun check(const std::filesystem::path& source, const std::vector<std::string>& flags) {
  const Scratch folder;
  std::vector<std::string> words{"check", source.string(), "--json=result.json", "--no-trace",
                                 "--quiet"};
  for (const std::string& flag : flags_of(source)) words.push_back(flag);
  words.insert(words.end(), flags.begin(), flags.end());
  return run_mazur(words, folder.path());
}

std::filesystem::path build(const std::filesystem::path& source,
                            const std::vector<std::string>& flags,
                            const std::filesystem::path& folder) {
  const std::filesystem::path program = folder / source.stem();
  std::vector<std::string> words{source.extension() == ".c" ? "cc" : "c++", source.string(), "-o",
                                 program.string()};
  for (const std::string& flag : flags_of(source)) words.push_back(flag);
  words.insert(words.end(), flags.begin(), flags.end());
  const MazurRun run = run_mazur(words, folder);
  if (run.exit_code != 0) std::fprintf(stderr, "%s\n", run.text.c_str());
  return program;
}

std::vector<std::string> programs_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".c" || entry.path().extension() == ".cpp")
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

nlohmann::json manifest_entry(const std::filesystem::path& source) {
  std::ifstream in(source.parent_path() / "manifest.json");
  if (!in) return nullptr;
  for (const auto& entry : nlohmann::json::parse(in))
    if (entry["program"] == source.filename().string()) return entry;
  return nullptr;
}

std::vector<std::string> flags_of(const std::filesystem::path& source) {
  const nlohmann::json entry = manifest_entry(source);
  if (entry.is_object() && entry.contains("flags")) return entry["flags"];
  if (source.extension() == ".cpp") return {"-std=c++20"};
  return {};
}

}  // namespace mazur::test
