// What was found by decoding a file, kept for the next time: one small file for each build id, in
// $XDG_CACHE_HOME/mazur/modules or ~/.cache/mazur/modules.
//
// Nothing in the folder is believed. An entry counts only if it is a file of this user that nobody
// else may write, is whole, and is about the very same bytes of code. Anything else is ignored. An
// entry appears in one step, so that any number of processes may read and write. If anything goes
// wrong, the file is decoded again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "modules/instructions.h"

namespace mazur {

// The file's code, to tell whether an entry is about it.
struct CodeKey {
  std::string build_id;    // empty if the file has none
  std::uint64_t size = 0;  // of its code, in bytes
  std::uint64_t hash = 0;  // of its code
};
CodeKey key_of(const ElfFile& file, std::span<const ElfFile::Code> code);

class FactCache {
 public:
  // An empty folder: nothing is kept.
  explicit FactCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // The user's own.
  static FactCache of_user();

  std::optional<Instructions> find(const CodeKey& key, std::span<const ElfFile::Code> code) const;
  void keep(const CodeKey& key, const Instructions& found) const;

  std::filesystem::path entry(const CodeKey& key) const;

 private:
  std::filesystem::path folder_;
};

// The bytes of an entry.
std::string encode_facts(const CodeKey& key, const Instructions& found);
std::optional<Instructions> decode_facts(std::string_view bytes, const CodeKey& key);

}  // namespace mazur
