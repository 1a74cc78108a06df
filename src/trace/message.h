// A sentence about an error, and which objects it speaks of: reports put their names in place.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/label.h"

namespace mazur {

// The address of an object, as it stands at [begin, end) of a message.
struct Mention {
  std::size_t begin = 0, end = 0;
  ObjectId object = 0;
  friend bool operator==(const Mention&, const Mention&) = default;
};

struct Message {
  std::string text;
  std::vector<Mention> mentions;  // one after the other, none overlaps the next

  Message() = default;
  Message(std::string sentence) : text(std::move(sentence)) {}
  Message(const char* sentence) : text(sentence) {}

  // Appends as printf would. Knows %s, %p (an object, which is mentioned), %u, %d, %ld, %lld and
  // %zu. From anything else on the format stands as it is.
  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...);
  void add(const char* format, std::va_list& arguments);
  void mention(ObjectId object);
  void operator+=(std::string_view more) { text += more; }
  void append(const Message& more);

  // Leaves at most the first `size` bytes, and no half of a mention.
  void cut(std::size_t size);
  // Whether every mention is a part of the text, not empty, and comes after the one before.
  bool is_sound() const;
  friend bool operator==(const Message&, const Message&) = default;
};

}  // namespace mazur
