// mazur show: look at a trace file, without its program.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/options/common_options.h"
#include "cli/run/process.h"
#include "cli/trace_argument.h"
#include "cli/usage.h"
#include "report/findings/files.h"
#include "report/html.h"
#include "report/orders/order_advice.h"
#include "report/printable.h"
#include "report/text.h"

namespace mazur {
namespace {

struct ShowOptions {
  CommonOptions common;
  std::string html;  // empty: print the error
};

const std::vector<Option<ShowOptions>>& option_table() {
  static const std::vector<Option<ShowOptions>> table = [] {
    std::vector<Option<ShowOptions>> rows;
    add_common_options(rows);
    std::erase_if(rows,
                  [](const auto& row) { return row.name != "color" && row.name != "verbose"; });
    rows.push_back({"html", "FILE",
                    "write a page with a picture of the schedule instead (- for stdout)",
                    [](ShowOptions& to, const std::string& value) {
                      if (value.empty()) throw UsageError("--html needs the name of a file.");
                      to.html = value;
                    }});
    return rows;
  }();
  return table;
}

}  // namespace

int show_command(const Arguments& arguments) {
  ShowOptions options;
  const Words words = parse_options("mazur show", option_table(), arguments, options);
  if (words.help) {
    fmt::print(
        "mazur show FILE.trace [options]\n\nPrints the error and its schedule, or draws it.\n\n"
        "Options\n{}",
        option_help(option_table()));
    return 0;
  }
  const std::string name = only_trace_argument("show", words);
  TraceFile file = read_trace_argument(name);
  file.finding.trace = name;
  advise_on_orders(file.finding, file.memory);
  if (!options.html.empty()) {
    const std::string page = html_finding(file.finding);
    if (options.html == "-") {
      std::fputs(page.c_str(), stdout);
    } else if (!write_file(options.html, page)) {
      throw UsageError(fmt::format("the file '{}' cannot be written.", options.html));
    }
    return 0;
  }
  std::vector<std::string> program{file.program};
  program.insert(program.end(), file.arguments.begin(), file.arguments.end());
  fmt::print("{}\n", printable(shell_quoted(program)));
  std::fputs(text_finding(file.finding, text_style(options.common, STDOUT_FILENO)).c_str(), stdout);
  return 0;
}

}  // namespace mazur
