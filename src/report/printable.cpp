#include "report/printable.h"

#include <fmt/format.h>

namespace mazur {
namespace {

// The UTF-8 character at the beginning of a text: its length and its code point. The length is 0 if
// the text does not begin with one.
struct Character {
  std::size_t length = 0;
  std::uint32_t point = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t point = lead & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    point = point << 6 | (byte(i) & 0x3f);
  }
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  if (point < kLeast[length] || point > 0x10ffff || surrogate) return {};
  return {length, point};
}

bool is_control(std::uint32_t point) {
  const auto between = [point](std::uint32_t low, std::uint32_t high) {
    return point >= low && point <= high;
  };
  return point < 0x20 || between(0x7f, 0x9f) || between(0x200e, 0x200f) ||
         between(0x2028, 0x202e) || between(0x2066, 0x2069) || point == 0x61c || point == 0xfeff ||
         between(0xfffe, 0xffff);  // no characters, and XML does not have them
}

// The length of a sequence that sets colours at the beginning, or 0.
std::size_t color_sequence(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;:", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string escaped(std::string_view text, bool lines) {
  std::string out;
  while (!text.empty()) {
    const Character c = first_character(text);
    const std::size_t color = lines ? color_sequence(text) : 0;
    if (color > 0) {
      text.remove_prefix(color);
      continue;
    }
    if (c.length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (c.point == '\t' || (c.point == '\n' && lines) || !is_control(c.point)) {
      out += text.substr(0, c.length);
    } else if (c.point == '\n') {
      out += "\\n";
    } else {
      out +=
          c.point < 0x100 ? fmt::format("\\x{:02x}", c.point) : fmt::format("\\u{:04x}", c.point);
    }
    text.remove_prefix(std::max<std::size_t>(c.length, 1));
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return escaped(text, false); }
std::string printable_lines(std::string_view text) { return escaped(text, true); }

std::string markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\n') out += c;
    }
  }
  return out;
}

Finding printable(Finding finding) {
  Record& record = finding.record;
  // A message that has to be escaped was no sentence of ours: then its mentions are not believed.
  if (std::string text = printable_lines(record.message.text); text != record.message.text)
    record.message = std::move(text);
  record.output = printable_lines(record.output);
  record.other.what = printable(record.other.what);
  for (auto& [thread, name] : record.thread_names) name = printable(name);
  for (auto& [object, name] : record.object_names) name = printable(name);
  for (Module& module : record.modules) module.path = printable(module.path);
  const auto escape = [](Frame& frame) {
    frame.function = printable(frame.function);
    frame.file = printable(frame.file);
    frame.text = printable(frame.text);
  };
  for (auto& [pc, frames] : finding.places.code)
    for (Frame& frame : frames) escape(frame);
  for (OrderChange& change : finding.orders.forbidden_by) escape(change.where);
  for (NewFence& fence : finding.orders.forbidden_by_fences) {
    escape(fence.after);
    escape(fence.before);
  }
  for (auto& [address, name] : finding.places.objects) name = printable(name);
  finding.trace = printable(finding.trace);
  return finding;
}

}  // namespace mazur
