#include "modules/fact_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/hash.h"

namespace mazur {
namespace {

// To be changed when a count gets another meaning, or something else is counted.
constexpr std::string_view kFirstLine = "mazur-module 1\n";
constexpr std::size_t kLargestEntry = 2u << 20;
constexpr std::uint64_t kSeed = Fnv1a().value();

// Eight bytes at a time: a program's libraries are looked at each time it is checked.
std::uint64_t hash_of(std::span<const char> bytes, std::uint64_t hash) {
  const std::size_t whole = bytes.size() / 8 * 8;
  for_each_word(bytes.data(), bytes.data() + whole,
                [&hash](std::uint64_t word) { hash = folded(hash ^ word); });
  std::uint64_t rest = bytes.size();
  for (const char byte : bytes.subspan(whole)) rest = rest << 8 | static_cast<unsigned char>(byte);
  return folded(hash ^ rest);
}

std::optional<std::string> read_entry(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  struct stat status {};
  std::optional<std::string> bytes;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
      (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
      static_cast<std::uint64_t>(status.st_size) <= kLargestEntry) {
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    const ssize_t got = read(file, text.data(), text.size());
    if (got == static_cast<ssize_t>(text.size())) bytes = std::move(text);
  }
  close(file);
  return bytes;
}

// Takes a word off the front, with the character after it.
std::string_view take_word(std::string_view& text, char after) {
  const std::size_t end = text.find(after);
  if (end == std::string_view::npos) {
    text = {};
    return {};
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end + 1);
  return word;
}

bool take_number(std::string_view& text, char after, std::uint64_t& value) {
  const std::string_view word = take_word(text, after);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
  return !word.empty() && error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

CodeKey key_of(const ElfFile& file, std::span<const ElfFile::Code> code) {
  CodeKey key{.build_id = file.build_id(), .hash = kSeed};
  for (const ElfFile::Code& piece : code) {
    key.size += piece.bytes.size();
    key.hash = hash_of(piece.bytes, key.hash ^ piece.address);
  }
  return key;
}

std::string encode_facts(const CodeKey& key, const Instructions& found) {
  std::string text = fmt::format("{}{} {:x} {:x}\n{:x} {:x} {:x} {:x} {:x}\n", kFirstLine,
                                 key.build_id, key.size, key.hash, found.atomic, found.system_calls,
                                 found.pauses, found.undecoded, found.places.size());
  for (const std::uint64_t place : found.places) text += fmt::format("{:x}\n", place);
  return text + fmt::format("{:x}\n", hash_of(text, kSeed));
}

std::optional<Instructions> decode_facts(std::string_view bytes, const CodeKey& key) {
  if (!bytes.starts_with(kFirstLine)) return std::nullopt;
  std::string_view text = bytes.substr(kFirstLine.size());
  if (take_word(text, ' ') != key.build_id) return std::nullopt;
  std::uint64_t size = 0, hash = 0, places = 0, sum = 0;
  Instructions found;
  if (!take_number(text, ' ', size) || !take_number(text, '\n', hash) ||
      !take_number(text, ' ', found.atomic) || !take_number(text, ' ', found.system_calls) ||
      !take_number(text, ' ', found.pauses) || !take_number(text, ' ', found.undecoded) ||
      !take_number(text, '\n', places))
    return std::nullopt;
  if (size != key.size || hash != key.hash || places > Instructions::kMostPlaces)
    return std::nullopt;
  for (std::uint64_t i = 0; i < places; ++i) {
    std::uint64_t place = 0;
    if (!take_number(text, '\n', place)) return std::nullopt;
    found.places.push_back(place);
  }
  const std::string_view body = bytes.substr(0, bytes.size() - text.size());
  if (!take_number(text, '\n', sum) || !text.empty() || sum != hash_of(body, kSeed))
    return std::nullopt;
  return found;
}

FactCache FactCache::of_user() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/')
    return FactCache(std::filesystem::path(cache) / "mazur/modules");
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] == '/')
    return FactCache(std::filesystem::path(home) / ".cache/mazur/modules");
  return FactCache({});
}

std::filesystem::path FactCache::entry(const CodeKey& key) const {
  return folder_ /
         (key.build_id.empty() ? fmt::format("code-{:016x}", key.hash) : "id-" + key.build_id);
}

std::optional<Instructions> FactCache::find(const CodeKey& key,
                                            std::span<const ElfFile::Code> code) const {
  if (folder_.empty()) return std::nullopt;
  const auto bytes = read_entry(entry(key));
  if (!bytes) return std::nullopt;
  auto found = decode_facts(*bytes, key);
  // Places are written to in the program, so the instructions must really be there.
  if (!found || !std::all_of(found->places.begin(), found->places.end(),
                             [code](std::uint64_t place) { return is_place(code, place); }))
    return std::nullopt;
  return found;
}

void FactCache::keep(const CodeKey& key, const Instructions& found) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  std::string temporary = (folder_ / "new-XXXXXX").string();
  const int file = mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return;
  const std::string bytes = encode_facts(key, found);
  const bool whole = write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
  close(file);
  if (!whole || rename(temporary.c_str(), entry(key).c_str()) != 0) unlink(temporary.c_str());
}

}  // namespace mazur
