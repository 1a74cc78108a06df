#include "essence.h"

namespace mazur::test {

nlohmann::json essence(const MazurRun& run) {
  nlohmann::json result;
  for (const char* field : {"verdict", "reason", "executions", "events", "memory_model"})
    if (run.result.contains(field)) result[field] = run.result[field];
  for (const nlohmann::json& error : run.result.value("errors", nlohmann::json::array())) {
    nlohmann::json& told = result["errors"].emplace_back();
    told["kind"] = error["kind"];
    told["message"] = error["message"];
    told["frames"] = error["frames"];
    if (error["kind"] != "data-race") told["count"] = error["count"];
  }
  return result;
}

std::vector<pid_t> processes_of(const std::filesystem::path& program) {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::error_code error;
    const auto executable = std::filesystem::read_symlink(entry.path() / "exe", error);
    if (!error && executable == program) found.push_back(std::stoi(entry.path().filename()));
  }
  return found;
}

}  // namespace mazur::test
