#include "report/machines/annotations.h"

#include <fmt/format.h>

#include <filesystem>

#include "report/findings/names.h"
#include "report/machines/story.h"
#include "report/printable.h"

namespace mazur {
namespace {

std::string escaped(std::string_view text, std::string_view which) {
  std::string out;
  for (const char c : text)
    out += which.find(c) == std::string_view::npos
               ? std::string(1, c)
               : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

// The two sets of characters that the runner takes back: of a message, and of a property.
std::string message_text(std::string_view text) { return escaped(text, "%\r\n"); }
std::string property_text(std::string_view text) { return escaped(text, "%\r\n:,"); }

std::string named_from(std::string_view workspace, const ReportedResult& result,
                       const std::string& file) {
  namespace fs = std::filesystem;
  if (workspace.empty() || result.directory.empty()) return file;
  const fs::path path = (fs::path(result.directory) / file).lexically_normal();
  const fs::path relative = path.lexically_relative(fs::path(workspace).lexically_normal());
  const bool below = !relative.empty() && *relative.begin() != ".." && *relative.begin() != ".";
  return below ? relative.string() : path.string();
}

struct Command {
  std::string_view name;  // "error", "warning"
  std::string title;
  std::string message;
};

std::string line(const Command& command, const ReportedResult& result, const ReportedPlace& place,
                 std::string_view workspace) {
  std::string properties;
  if (!place.file.empty())
    properties = fmt::format("file={},",
                             property_text(printable(named_from(workspace, result, place.file))));
  if (!place.file.empty() && place.line != 0) properties += fmt::format("line={},", place.line);
  return fmt::format("::{} {}title={}::{}\n", command.name, properties,
                     property_text(command.title), message_text(command.message));
}

std::string error_line(const ReportedResult& result, const ReportedError& error,
                       std::string_view workspace) {
  std::string text = printable_lines(error.message);
  if (!error.hint.empty()) text += "\nhint: " + printable_lines(error.hint);
  if (const std::string threads = sides(error); !threads.empty()) text += "\n" + threads;
  if (!error.trace.empty()) text += "\nSee it again: mazur replay " + printable(error.trace);
  return line({"error", heading(error) + " (" + case_name(result) + ")", text}, result, error.place,
              workspace);
}

}  // namespace

std::string github_annotations(std::span<const ReportedResult> results,
                               std::string_view workspace) {
  std::string text;
  for (const ReportedResult& result : results) {
    for (const ReportedError& error : result.errors) text += error_line(result, error, workspace);
    const bool says_all = result.verdict == Verdict::kVerified || result.verdict == Verdict::kBug;
    if (says_all || result.left_out) continue;
    const bool incomplete = result.verdict == Verdict::kIncomplete;
    const std::optional<ReportedError>& where = incomplete ? result.cut_off : result.unsupported;
    text += line({incomplete ? "warning" : "error",
                  fmt::format("{} ({})", verdict_name(result.verdict), case_name(result)),
                  verdict_sentence(result)},
                 result, where ? where->place : ReportedPlace{}, workspace);
  }
  return text;
}

}  // namespace mazur
