#include "trace/atomic_block/recorder.h"

#include <algorithm>
#include <tuple>

#include "base/hash.h"

namespace mazur {
namespace {

constexpr std::size_t kFirstTable = 64;

std::size_t hash(ObjectId address) { return static_cast<std::size_t>(spread(address >> 3) >> 32); }

std::uint64_t bytes_of(std::uint64_t word, unsigned first, unsigned size) {
  const std::uint64_t value = word >> (first * 8);
  return size >= 8 ? value : value & ((std::uint64_t{1} << (size * 8)) - 1);
}

}  // namespace

void BlockRecorder::clear() {
  words_.clear();
  mutexes_.clear();
  if (table_.size() > kFirstTable) table_.clear();
  table_.assign(kFirstTable, 0);
}

std::size_t BlockRecorder::place(ObjectId address) {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = hash(address) & mask;
  while (table_[i] != 0 && words_[table_[i] - 1].address != address) i = (i + 1) & mask;
  return i;
}

void BlockRecorder::grow() {
  table_.assign(table_.size() * 2, 0);
  for (std::size_t i = 0; i < words_.size(); ++i)
    table_[place(words_[i].address)] = static_cast<std::uint32_t>(i + 1);
}

void BlockRecorder::mutex(ObjectId object, bool mine_before, bool free_before, bool mine_after) {
  for (Mutex& m : mutexes_) {
    if (m.object != object) continue;
    m.mine = mine_after;
    return;
  }
  mutexes_.push_back({object, mine_before, free_before, mine_after});
}

// Runs of bytes that were used in the same way.
void BlockRecorder::add_word(const Word& word, bool undone, std::uint64_t after) {
  const unsigned written = undone ? 0 : word.written;
  const auto use = [&](unsigned i) { return (word.read >> i & 1) | (written >> i & 1) << 1; };
  for (unsigned i = 0; i < 8;) {
    unsigned end = i + 1;
    while (end < 8 && use(end) == use(i)) ++end;
    if (use(i) != 0) {
      const Mode mode = (use(i) & 2) != 0 ? mode::kWrite : mode::kRead;
      list_.push_back({.access = {Space::kMemory, mode, end - i, word.address + i},
                       .reads = (use(i) & 1) != 0,
                       .before = bytes_of(word.before, i, end - i),
                       .after = bytes_of(after, i, end - i)});
    }
    i = end;
  }
}

// See block.h for the modes.
void BlockRecorder::add_mutex(const Mutex& m, bool undone) {
  const bool mine_after = undone ? m.mine_before : m.mine;
  if (m.mine_before && mine_after) return;
  const Mode mode = m.mine_before ? mode::kRelease : m.free_before ? mode::kAcquire : mode::kProbe;
  list_.push_back({.access = {Space::kMutex, mode, 1, m.object},
                   .reads = !m.mine_before,
                   .before = m.free_before ? 0u : 1u,
                   .after = mine_after || (!m.mine_before && !m.free_before) ? 1u : 0u});
}

void BlockRecorder::intern(Label& label) {
  std::sort(list_.begin(), list_.end(), [](const BlockAccess& a, const BlockAccess& b) {
    return std::tuple(a.access.space, a.access.object) <
           std::tuple(b.access.space, b.access.object);
  });
  block_table.intern(list_, label);
}

}  // namespace mazur
