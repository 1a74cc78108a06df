// A strict reader of XML 1.0, for as much as reports use: elements, attributes, text, the five named entities and
// numbered ones. What else XML has (comments, CDATA, processing instructions, document types) is an error here, and so
// is every character that XML 1.0 does not have.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mazur::test {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // of this element alone, its parts one after the other
  std::vector<Element> children;

  const Element* child(std::string_view called) const;
};

// The root element of a document with an XML declaration. Throws std::runtime_error, which says what is wrong and at
// which byte.
Element read_xml(std::string_view document);

}  // namespace mazur::test
