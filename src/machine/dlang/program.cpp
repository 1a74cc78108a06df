#include "machine/dlang/program.h"

namespace mazur::dlang {

bool holds(Relation relation, std::int64_t left, std::int64_t right) {
  switch (relation) {
    case Relation::kLess:
      return left < right;
    case Relation::kGreater:
      return left > right;
    case Relation::kEqual:
      return left == right;
    case Relation::kNotEqual:
      return left != right;
    case Relation::kLessEqual:
      return left <= right;
    case Relation::kGreaterEqual:
      return left >= right;
  }
  return false;
}

std::string_view symbol(Relation relation) {
  switch (relation) {
    case Relation::kLess:
      return "<";
    case Relation::kGreater:
      return ">";
    case Relation::kEqual:
      return "==";
    case Relation::kNotEqual:
      return "!=";
    case Relation::kLessEqual:
      return "<=";
    case Relation::kGreaterEqual:
      return ">=";
  }
  return "";
}

std::string Program::object_name(ObjectId object) const {
  const bool mutex = object >= kFirstMutex;
  const std::uint64_t element =
      mutex ? object - kFirstMutex : (object - kFirstElement) / sizeof(std::int64_t);
  for (const Array& array : arrays) {
    if (array.storage != (mutex ? Storage::kMutex : Storage::kGlobal)) continue;
    if (element < array.base || element - array.base >= array.length) continue;
    if (array.length == 1) return array.name;
    return array.name + "[" + std::to_string(element - array.base) + "]";
  }
  return {};
}

std::string Program::line(std::uint32_t number) const {
  std::size_t begin = 0;
  for (std::uint32_t n = 1; n < number; ++n) {
    begin = source.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  const std::string text = source.substr(begin, source.find('\n', begin) - begin);
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace mazur::dlang
