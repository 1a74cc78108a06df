// Text from elsewhere, made fit for a terminal or a page: from a trace file, from a program under
// test, from debug information. Control characters could move the cursor, change earlier lines, or
// make a terminal do things; marks for right-to-left text can make a line read as another one.
#pragma once

#include <string>
#include <string_view>

#include "report/findings/finding.h"

namespace mazur {

// Escapes what is not to be shown: \x1b, \n, \u202e. Tabs stay. Bytes that are no UTF-8 are escaped
// as well.
std::string printable(std::string_view text);
// The same for text of several lines: line feeds stay, and colours are left out.
std::string printable_lines(std::string_view text);

// Text in XML and HTML, also between quotes. Control characters, which neither has, are left out. What is no character
// at all has to be escaped before (printable).
std::string markup(std::string_view text);

// Every text of a finding.
Finding printable(Finding finding);

}  // namespace mazur
