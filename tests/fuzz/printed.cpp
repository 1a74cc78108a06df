#include "printed.h"

#include <cstdlib>
#include <string>

#include "report/html.h"
#include "report/json.h"
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

}  // namespace

void print_in_all_ways(const Result& result) {
  TextStyle style;
  require_plain(text_report(result, style));
  style.verbose = true;
  style.width = 80;
  require_plain(text_report(result, style));
  require_plain(json_report(result));
  for (const Finding& finding : result.findings) {
    const std::string page = html_finding(finding);
    require_plain(page);
    if (count(page, "<script") + count(page, "<img") + count(page, "<a ") > 0) std::abort();
    if (count(page, "<body") != 1 || count(page, "</pre>") != 1) std::abort();
  }
}

}  // namespace mazur
