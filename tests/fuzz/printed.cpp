#include "printed.h"

#include <cstdlib>
#include <string>

#include "../report/checks/xml.h"
#include "report/html.h"
#include "report/machines/annotations.h"
#include "report/machines/json.h"
#include "report/machines/junit.h"
#include "report/machines/sarif.h"
#include "report/text.h"

namespace mazur {
namespace {

void require_plain(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) std::abort();
    // U+0080 to U+009F in UTF-8.
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
        static_cast<unsigned char>(text[i + 1]) < 0xa0)
      std::abort();
  }
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// What other programs read: all of it can be made from the JSON, and is what its format says.
void report_to_machines(const std::string& json) {
  const auto read = read_result(json);
  if (!std::holds_alternative<ReportedResult>(read)) std::abort();
  const std::span results(&std::get<ReportedResult>(read), 1);
  require_plain(sarif_report(results));
  const std::string junit = junit_report(results);
  require_plain(junit);
  test::read_xml(junit);  // what it throws, nobody catches
  const std::string lines = github_annotations(results, "/somewhere");
  require_plain(lines);
  if (!lines.empty() && count("\n" + lines, "\n::") != count(lines, "\n")) std::abort();
}

}  // namespace

void print_in_all_ways(const Result& result) {
  TextStyle style;
  require_plain(text_report(result, style));
  style.verbose = true;
  style.width = 80;
  require_plain(text_report(result, style));
  const std::string json = json_report(result);
  require_plain(json);
  report_to_machines(json);
  for (const Finding& finding : result.findings) {
    const std::string page = html_finding(finding);
    require_plain(page);
    if (count(page, "<script") + count(page, "<img") + count(page, "<a ") > 0) std::abort();
    if (count(page, "<body") != 1 || count(page, "</pre>") != 1) std::abort();
  }
}

}  // namespace mazur
