#include "cli/result/deliver.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "report/findings/files.h"
#include "report/findings/names.h"
#include "report/machines/annotations.h"
#include "report/machines/json.h"
#include "report/machines/junit.h"
#include "report/machines/sarif.h"

namespace mazur {
namespace {

struct Output {
  std::string_view option;
  const std::string& file;
};

std::vector<Output> outputs(const CommonOptions& options) {
  std::vector<Output> all;
  for (const Output& output : {Output{"json", options.json}, Output{"junit", options.junit},
                               Output{"sarif", options.sarif}})
    if (!output.file.empty()) all.push_back(output);
  return all;
}

// Also by different names.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto whole = [&error](const std::string& file) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(end_of_links(file), error),
                                             error);
  };
  return a == b || (a != "-" && b != "-" && whole(a) == whole(b));
}

// The repository on a runner of GitHub.
std::string workspace() {
  const char* folder = std::getenv("GITHUB_WORKSPACE");
  return folder != nullptr ? folder : "";
}

}  // namespace

void name_subject(Result& result, const std::string& program,
                  const std::vector<std::string>& arguments) {
  std::error_code error;
  result.program = program;
  result.arguments = arguments;
  result.directory = std::filesystem::current_path(error).string();
}

void require_outputs(const CommonOptions& options, const std::vector<std::string>& inputs) {
  const std::vector<Output> all = outputs(options);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [option, file] = all[i];
    for (std::size_t k = 0; k < i; ++k)
      if (is_same_file(file, all[k].file))
        throw UsageError(fmt::format("--{} and --{} cannot both go to {}: name two files.",
                                     all[k].option, option,
                                     file == "-" ? "standard output" : "'" + file + "'"));
    if (file == "-") continue;
    for (const std::string& input : inputs)
      if (!input.empty() && is_same_file(file, input))
        throw UsageError(fmt::format(
            "--{} would write over '{}', which this run needs: name another file.", option, input));
    if (const auto why = why_not_writable(file))
      throw UsageError(
          fmt::format("the result cannot be written to '{}' (--{}): {}.", file, option, *why));
  }
}

ReportedResult reported(const std::string& json) {
  auto read = read_result(json);
  if (const auto* problem = std::get_if<std::string>(&read))
    throw std::logic_error("the result " + *problem);
  return std::get<ReportedResult>(std::move(read));
}

void write_reports(const std::string& json, std::span<const ReportedResult> results,
                   std::string_view suite, const CommonOptions& options, std::FILE* people) {
  if (options.annotations) std::fputs(github_annotations(results, workspace()).c_str(), people);
  std::fflush(people);
  std::string failed;
  for (const Output& output : outputs(options)) {
    const std::string contents = output.option == "junit"   ? junit_report(results, suite)
                                 : output.option == "sarif" ? sarif_report(results)
                                                            : json;
    const bool written = output.file == "-"
                             ? std::fputs(contents.c_str(), stdout) >= 0 && std::fflush(stdout) == 0
                             : write_file(output.file, contents);
    if (!written) failed = output.file == "-" ? "standard output" : "'" + output.file + "'";
  }
  if (!failed.empty())
    throw UsageError(fmt::format("the result could not be written to {}.", failed));
}

int deliver(const Result& result, const CommonOptions& options) {
  // Standard output belongs to programs when they asked for it.
  std::FILE* people = options.takes_stdout() ? stderr : stdout;
  const std::string text = text_report(result, text_style(options, fileno(people)));
  std::fputs(text.c_str(), people);
  std::fflush(people);
  if (options.has_reports()) {
    const std::string json = json_report(result, options.output != Shown::kNone);
    const ReportedResult one = reported(json);
    write_reports(json, {&one, 1}, "mazur", options, people);
  }
  return exit_code(result.verdict);
}

}  // namespace mazur
