#include "xml.h"

#include <charconv>
#include <stdexcept>

namespace mazur::test {
namespace {

constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Element document() {
    require_characters();
    expect(kDeclaration);
    Element root = element();
    skip_space();
    if (at_ != text_.size()) fail("something after the root element");
    return root;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " at byte " + std::to_string(at_));
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool follows(std::string_view part) const { return text_.substr(at_).starts_with(part); }
  void expect(std::string_view part) {
    if (!follows(part)) fail("no '" + std::string(part) + "'");
    at_ += part.size();
  }
  void skip_space() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\t') ++at_;
  }

  // The whole document is UTF-8, and each of its characters one of section 2.2.
  void require_characters() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const auto lead = static_cast<unsigned char>(text_[at_]);
      const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
      if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || at_ + length > text_.size())
        fail("no UTF-8");
      std::uint32_t point = length == 1 ? lead : lead & (0xff >> (length + 1));
      for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text_[at_ + i]);
        if ((next & 0xc0) != 0x80) fail("no UTF-8");
        point = point << 6 | (next & 0x3f);
      }
      const std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
      if (point < least[length] || !is_character(point)) fail("a character that XML does not have");
      at_ += length;
    }
    at_ = begin;
  }

  static bool is_character(std::uint32_t point) {
    return point == 0x9 || point == 0xa || point == 0xd || (point >= 0x20 && point <= 0xd7ff) ||
           (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff);
  }

  std::string name() {
    const std::size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '-' || peek() == '_')
      ++at_;
    if (begin == at_) fail("no name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string entity() {
    expect("&");
    for (const auto& [written, meant] :
         {std::pair{"lt;", "<"}, {"gt;", ">"}, {"amp;", "&"}, {"quot;", "\""}}) {
      if (!follows(written)) continue;
      at_ += std::string_view(written).size();
      return meant;
    }
    expect("#");
    unsigned number = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc{} || number > 0x7e || !is_character(number))
      fail("no character's number");
    at_ = static_cast<std::size_t>(end - text_.data());
    expect(";");
    return std::string(1, static_cast<char>(number));
  }

  void attribute(Element& element) {
    const std::string key = name();
    expect("=\"");
    std::string value;
    while (peek() != '"') {
      if (peek() == '<' || peek() == '\0' || peek() == '\n' || peek() == '\r')
        fail("not in an attribute");
      if (peek() == '&')
        value += entity();
      else
        value += text_[at_++];
    }
    ++at_;
    if (!element.attributes.emplace(key, value).second) fail("an attribute twice");
  }

  Element element() {
    expect("<");
    Element element;
    element.name = name();
    while (peek() == ' ') {
      ++at_;
      attribute(element);
    }
    if (follows("/>")) {
      at_ += 2;
      return element;
    }
    expect(">");
    while (!follows("</")) {
      if (peek() == '\0' || peek() == '\r' || follows("]]>")) fail("not in text");
      if (peek() == '<')
        element.children.push_back(this->element());
      else if (peek() == '&')
        element.text += entity();
      else
        element.text += text_[at_++];
    }
    expect("</" + element.name + ">");
    return element;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Element* Element::child(std::string_view called) const {
  for (const Element& element : children)
    if (element.name == called) return &element;
  return nullptr;
}

Element read_xml(std::string_view document) { return Reader(document).document(); }

}  // namespace mazur::test
