// What the options of `mazur check` are for. Every option of its table stands under one task; the
// order here is that of --help and of the list in docs/use.md, which is made from both tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mazur {

struct OptionNote {
  std::string_view name;
  // What docs/use.md says after the line of help, in Markdown; may be empty. A line that begins
  // with "- " becomes an item of a list.
  std::string_view more;
};

struct OptionTask {
  std::string_view title;
  std::vector<OptionNote> options;
};

const std::vector<OptionTask>& check_option_tasks();

// All options with their values and lines of help, a heading for each task: --help.
std::string check_options_by_task();

// The same with what else there is to say, in Markdown: the list in docs/use.md.
std::string check_options_as_markdown();

}  // namespace mazur
