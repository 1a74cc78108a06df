// Collects what an atomic block touches while it runs: for the machines.
//
// Memory is kept by aligned words of 8 bytes, with a bit for each byte. So accesses of mixed sizes
// never overlap in the list that comes out.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/atomic_block/block.h"

namespace mazur {

class BlockRecorder {
 public:
  struct Word {
    ObjectId address = 0;
    std::uint64_t before = 0;  // all 8 bytes, when the block first came here
    std::uint8_t read = 0;     // bytes that were read before they were written
    std::uint8_t written = 0;
  };
  struct Mutex {
    ObjectId object = 0;
    bool mine_before = false;  // the thread held it before the block
    bool free_before = false;
    bool mine = false;  // it holds it now
  };

  void clear();

  // The block reads these bytes, writes them, or reads and then writes them. `load(address)` gives
  // the 8 bytes of an aligned word as they are now, before the access.
  template <typename Load>
  void memory(ObjectId object, std::uint64_t size, bool reads, bool writes, Load&& load) {
    const ObjectId end = object + size;
    for (ObjectId at = object & ~ObjectId{7}; at < end; at += 8) {
      unsigned bytes = 0xff;
      if (at < object) bytes &= 0xffu << (object - at);
      if (end - at < 8) bytes &= (1u << (end - at)) - 1;
      Word& word = find(at, load);
      const auto mask = static_cast<std::uint8_t>(bytes);
      if (reads) word.read = static_cast<std::uint8_t>(word.read | (mask & ~word.written));
      if (writes) word.written |= mask;
    }
  }
  // The block came to a mutex, and afterwards its thread holds it or does not.
  void mutex(ObjectId object, bool mine_before, bool free_before, bool mine_after);

  const std::vector<Word>& words() const { return words_; }
  const std::vector<Mutex>& mutexes() const { return mutexes_; }

  // Fills in the label of the block. `load` gives words as they are at its end. `undone`: an assume
  // failed, and what the block had written has been restored. Then it counts as having only read.
  template <typename Load>
  void finish(Label& label, bool undone, Load&& load) {
    list_.clear();
    for (const Word& w : words_) add_word(w, undone, load(w.address));
    for (const Mutex& m : mutexes_) add_mutex(m, undone);
    intern(label);
  }

 private:
  template <typename Load>
  Word& find(ObjectId address, Load&& load) {
    const std::size_t at = place(address);
    if (table_[at] == 0) {
      words_.push_back({address, load(address), 0, 0});
      table_[at] = static_cast<std::uint32_t>(words_.size());
      if (words_.size() * 2 > table_.size()) grow();
      return words_.back();
    }
    return words_[table_[at] - 1];
  }
  std::size_t place(ObjectId address);
  void grow();
  void add_word(const Word& word, bool undone, std::uint64_t after);
  void add_mutex(const Mutex& mutex, bool undone);
  void intern(Label& label);

  std::vector<Word> words_;
  std::vector<std::uint32_t> table_;  // open addressing: place in words_ + 1
  std::vector<Mutex> mutexes_;
  std::vector<BlockAccess> list_;
};

}  // namespace mazur
