#include "trace/message.h"

#include <array>
#include <charconv>

namespace mazur {
namespace {

template <typename Number>
void add_number(std::string& text, Number number, int base = 10) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
  text.append(digits.data(), end);
}

}  // namespace

void Message::add(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  add(format, arguments);
  va_end(arguments);
}

void Message::add(const char* format, std::va_list& arguments) {
  for (const char* at = format; *at != '\0'; ++at) {
    if (*at != '%') {
      text += *at;
      continue;
    }
    switch (*++at) {
      case 's': {
        const char* const word = va_arg(arguments, const char*);
        text += word != nullptr ? word : "(null)";
        break;
      }
      case 'p':
        mention(reinterpret_cast<ObjectId>(va_arg(arguments, void*)));
        break;
      case 'u':
        add_number(text, va_arg(arguments, unsigned));
        break;
      case 'd':
        add_number(text, va_arg(arguments, int));
        break;
      case 'l':
        while (at[1] == 'l') ++at;
        ++at;
        add_number(text, va_arg(arguments, long long));
        break;
      case 'z':
        ++at;
        add_number(text, va_arg(arguments, std::size_t));
        break;
      default:
        text += at - 1;
        return;
    }
  }
}

void Message::mention(ObjectId object) {
  const std::size_t begin = text.size();
  text += "0x";
  add_number(text, object, 16);
  mentions.push_back({begin, text.size(), object});
}

void Message::append(const Message& more) {
  for (const Mention& mention : more.mentions)
    mentions.push_back({text.size() + mention.begin, text.size() + mention.end, mention.object});
  text += more.text;
}

void Message::cut(std::size_t size) {
  if (size >= text.size()) return;
  text.resize(size);
  while (!mentions.empty() && mentions.back().end > size) mentions.pop_back();
}

bool Message::is_sound() const {
  std::size_t at = 0;
  for (const Mention& mention : mentions) {
    if (mention.begin < at || mention.end <= mention.begin || mention.end > text.size())
      return false;
    at = mention.end;
  }
  return true;
}

}  // namespace mazur
