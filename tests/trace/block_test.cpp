#include "trace/atomic_block/block.h"

#include <gtest/gtest.h>

#include <map>

#include "events.h"
#include "trace/atomic_block/recorder.h"
#include "trace/dependence.h"

namespace mazur {
namespace {

// Words of memory that a block runs on.
struct Memory {
  std::map<ObjectId, std::uint64_t> words;
  auto load() {
    return [this](ObjectId address) { return words[address]; };
  }
};

struct Row {
  ObjectId object;
  std::uint32_t size;
  Mode mode;
  bool reads;
  std::uint64_t before, after;
  friend bool operator==(const Row&, const Row&) = default;
};
std::vector<Row> rows(const Label& label) {
  std::vector<Row> all;
  for (const BlockAccess& a : block_table.contents(label))
    all.push_back({a.access.object, a.access.size, a.access.mode, a.reads, a.before, a.after});
  return all;
}

Label finished(BlockRecorder& block, Memory& memory, bool undone = false) {
  Label label;
  block.finish(label, undone, memory.load());
  return label;
}

TEST(Block, BytesThatAreUsedInTheSameWayAreOneAccess) {
  Memory memory{{{64, 0x8877665544332211}}};
  BlockRecorder block;
  block.clear();
  block.memory(64, 4, true, false, memory.load());
  block.memory(66, 1, false, true, memory.load());
  memory.words[64] = 0x8877665544aa2211;
  EXPECT_EQ(rows(finished(block, memory)),
            (std::vector<Row>{{64, 2, mode::kRead, true, 0x2211, 0x2211},
                              {66, 1, mode::kWrite, true, 0x33, 0xaa},
                              {67, 1, mode::kRead, true, 0x44, 0x44}}));
}

TEST(Block, WhatItWroteItselfItDoesNotReadFromOthers) {
  Memory memory{{{64, 1}, {72, 5}}};
  BlockRecorder block;
  block.clear();
  block.memory(64, 8, false, true, memory.load());
  block.memory(64, 8, true, false, memory.load());
  block.memory(72, 8, true, true, memory.load());
  memory.words = {{64, 2}, {72, 6}};
  const Label label = finished(block, memory);
  EXPECT_EQ(rows(label), (std::vector<Row>{{64, 8, mode::kWrite, false, 1, 2},
                                           {72, 8, mode::kWrite, true, 5, 6}}));
  EXPECT_TRUE(reads_memory(label));
  EXPECT_TRUE(writes_memory(label));
}

TEST(Block, AnAccessMayCrossWords) {
  Memory memory{{{64, 0x1111111111111111}, {72, 0x2222222222222222}, {80, 3}}};
  BlockRecorder block;
  block.clear();
  block.memory(70, 4, true, false, memory.load());
  EXPECT_EQ(rows(finished(block, memory)),
            (std::vector<Row>{{70, 2, mode::kRead, true, 0x1111, 0x1111},
                              {72, 2, mode::kRead, true, 0x2222, 0x2222}}));
  block.clear();
  block.memory(64, 16, false, true, memory.load());
  EXPECT_EQ(rows(finished(block, memory)).size(), 2u);
}

TEST(Block, TouchesAnyNumberOfWords) {
  Memory memory;
  BlockRecorder block;
  for (const unsigned count : {200u, 10u, 33u}) {
    block.clear();
    for (unsigned i = count; i-- > 0;) block.memory(64 + i * 8, 8, true, false, memory.load());
    for (unsigned i = 0; i < count; ++i) block.memory(64 + i * 8, 8, false, true, memory.load());
    EXPECT_EQ(block.words().size(), count);
    const std::vector<Row> found = rows(finished(block, memory));
    ASSERT_EQ(found.size(), count);
    for (unsigned i = 0; i < count; ++i)
      EXPECT_EQ(found[i], (Row{64 + i * 8, 8, mode::kWrite, true, 0, 0}));
  }
}

TEST(Block, AFailedAssumeHasOnlyRead) {
  Memory memory{{{64, 1}, {72, 2}}};
  BlockRecorder block;
  block.clear();
  block.memory(64, 8, true, true, memory.load());
  block.memory(72, 8, false, true, memory.load());
  block.mutex(8, false, true, true);
  const Label label = finished(block, memory, true);
  EXPECT_EQ(rows(label), (std::vector<Row>{{64, 8, mode::kRead, true, 1, 1},
                                           {8, 1, mode::kAcquire, true, 0, 0}}));
  EXPECT_FALSE(writes_memory(label));
}

TEST(Block, AMutexHasTheModeThatOthersCanSee) {
  Memory memory;
  BlockRecorder block;
  block.clear();
  block.mutex(8, false, true, true);     // free, and taken
  block.mutex(16, true, false, false);   // its own, and released
  block.mutex(24, false, false, false);  // another's
  block.mutex(32, true, false, true);    // its own, and kept
  block.mutex(40, false, true, true);    // taken, and released again
  block.mutex(40, true, false, false);
  const Label label = finished(block, memory);
  EXPECT_EQ(rows(label), (std::vector<Row>{{8, 1, mode::kAcquire, true, 0, 1},
                                           {16, 1, mode::kRelease, false, 1, 0},
                                           {24, 1, mode::kProbe, true, 1, 1},
                                           {40, 1, mode::kAcquire, true, 0, 0}}));
  EXPECT_TRUE(releases_mutex(label, 16));
  EXPECT_FALSE(releases_mutex(label, 8));
  EXPECT_FALSE(releases_mutex(label, 24));
  EXPECT_FALSE(reads_memory(label));
}

BlockAccess memory_access(ObjectId object, bool reads, std::uint64_t before, std::uint64_t after,
                          Mode mode = mode::kWrite) {
  return {.access = {Space::kMemory, mode, 8, object},
          .reads = reads,
          .before = before,
          .after = after};
}

Label interned(const std::vector<BlockAccess>& accesses) {
  Label label;
  block_table.intern(accesses, label);
  return label;
}

TEST(Block, EqualOnesHaveEqualLabels) {
  const Label first = interned({memory_access(64, true, 1, 2), memory_access(72, false, 3, 4)});
  const Label again = interned({memory_access(64, true, 1, 2), memory_access(72, false, 3, 4)});
  EXPECT_EQ(first, again);
  EXPECT_EQ(first.read, again.read);
  EXPECT_EQ(first.written, again.written);
  EXPECT_EQ(first.before, again.before);
  EXPECT_EQ(first.size, 2u);

  const Label other_values =
      interned({memory_access(64, true, 1, 2), memory_access(72, false, 3, 5)});
  EXPECT_EQ(first, other_values);
  EXPECT_EQ(first.read, other_values.read);
  EXPECT_NE(first.written, other_values.written);
  EXPECT_NE(first.before, other_values.before);
  // What a block found where it did not look makes no difference to what it read.
  const Label unread = interned({memory_access(64, true, 1, 2), memory_access(72, false, 9, 4)});
  EXPECT_EQ(first.read, unread.read);
  EXPECT_NE(interned({memory_access(64, true, 7, 2), memory_access(72, false, 3, 4)}).read,
            first.read);

  for (const auto& accesses : std::vector<std::vector<BlockAccess>>{
           {memory_access(64, true, 1, 2)},
           {memory_access(64, false, 1, 2), memory_access(72, false, 3, 4)},
           {memory_access(64, true, 1, 2), memory_access(80, false, 3, 4)},
           {memory_access(64, true, 1, 2, mode::kRead), memory_access(72, false, 3, 4)}}) {
    EXPECT_NE(interned(accesses).value, first.value);
    EXPECT_NE(interned(accesses).object, first.object);
  }
}

TEST(Block, ValuesThatNobodyKeepsAreForgotten) {
  const Label kept = interned({memory_access(64, true, 100, 101)});
  const Label forgotten = interned({memory_access(64, true, 102, 103)});
  Event event;
  event.label = kept;
  Event unknown;
  unknown.label.kind = OpKind::kAtomicBlock;
  block_table.keep_values(std::vector<Event>{unknown, event});
  EXPECT_EQ(block_table.values_size(), 1u);
  EXPECT_EQ(rows(kept), (std::vector<Row>{{64, 8, mode::kWrite, true, 100, 101}}));
  // What is equal is found again, what is new takes a place that is free.
  EXPECT_EQ(interned({memory_access(64, true, 100, 101)}).before, kept.before);
  EXPECT_EQ(block_table.values_size(), 1u);
  const Label anew = interned({memory_access(64, true, 102, 103)});
  EXPECT_EQ(block_table.values_size(), 2u);
  EXPECT_EQ(rows(anew), (std::vector<Row>{{64, 8, mode::kWrite, true, 102, 103}}));
  EXPECT_EQ(anew.value, forgotten.value) << "accesses are kept";
  EXPECT_EQ(rows(kept), (std::vector<Row>{{64, 8, mode::kWrite, true, 100, 101}}));
}

TEST(Block, BytesThatAWriteChanges) {
  Event write = store(0, 64, 4);
  write.label.before = 0x44332211;
  write.label.written = 0x88776655;
  for (const ObjectId outside : {63, 68}) EXPECT_FALSE(byte_write(write.label, outside).written);
  for (unsigned i = 0; i < 4; ++i) {
    const ByteWrite byte = byte_write(write.label, 64 + i);
    EXPECT_TRUE(byte.written);
    EXPECT_EQ(byte.before, 0x11 * (i + 1));
    EXPECT_EQ(byte.after, 0x11 * (i + 5));
  }
  EXPECT_TRUE(writes_all(write.label, 64, 4));
  EXPECT_TRUE(writes_all(write.label, 66, 2));
  EXPECT_FALSE(writes_all(write.label, 64, 5));
  EXPECT_FALSE(writes_all(write.label, 63, 2));
  EXPECT_FALSE(byte_write(event(0, OpKind::kFree, 64, 4).label, 64).written);

  const Label block = interned(
      {memory_access(64, true, 0x1111, 0x2222), memory_access(80, true, 5, 5, mode::kRead)});
  EXPECT_TRUE(writes_all(block, 64, 8));
  EXPECT_EQ(byte_write(block, 65).before, 0x11);
  EXPECT_EQ(byte_write(block, 65).after, 0x22);
  EXPECT_FALSE(byte_write(block, 72).written);
  EXPECT_FALSE(byte_write(block, 80).written) << "only read";
}

TEST(Block, ReadsFromAnotherEvent) {
  const Label block = interned({memory_access(64, true, 1, 1, mode::kRead),
                                memory_access(72, false, 1, 2),
                                {.access = {Space::kMutex, mode::kAcquire, 1, 8}, .reads = true},
                                {.access = {Space::kMutex, mode::kRelease, 1, 16}}});
  EXPECT_TRUE(reads_from(block, store(0, 64).label));
  EXPECT_TRUE(reads_from(block, store(0, 66, 1).label));
  EXPECT_FALSE(reads_from(block, load(0, 64).label)) << "that writes nothing";
  EXPECT_FALSE(reads_from(block, store(0, 72).label)) << "it does not look there";
  EXPECT_FALSE(reads_from(block, store(0, 80).label));
  EXPECT_TRUE(reads_from(block, event(0, OpKind::kUnlock, 8).label));
  EXPECT_FALSE(reads_from(block, event(0, OpKind::kTryLock, 16).label)) << "its thread holds it";
}

TEST(Block, AnUnknownOneDependsOnWhatTouchesAnything) {
  Event unknown = event(1, OpKind::kAtomicBlock, 0, 0);
  EXPECT_TRUE(is_unknown_block(unknown.label));
  EXPECT_TRUE(dependent(unknown, load(0, 64)));
  EXPECT_TRUE(dependent(load(0, 64), unknown));
  EXPECT_TRUE(may_depend(unknown.label, load(0, 64).label));
  EXPECT_FALSE(dependent(unknown, event(0, OpKind::kYield, 0)));
  EXPECT_FALSE(may_depend(event(0, OpKind::kYield, 0).label, unknown.label));
  EXPECT_TRUE(touches_anything(unknown.label));
  EXPECT_TRUE(reads_memory(unknown.label));
  EXPECT_TRUE(writes_memory(unknown.label));

  Event known = event(1, OpKind::kAtomicBlock, 0, 0);
  known.label = interned({memory_access(64, true, 1, 1, mode::kRead)});
  EXPECT_FALSE(dependent(known, load(0, 64)));
  EXPECT_TRUE(dependent(known, store(0, 64)));
  EXPECT_FALSE(dependent(known, store(0, 72)));
  EXPECT_FALSE(writes_memory(known.label));
  forget_accesses(known.label);
  EXPECT_TRUE(is_unknown_block(known.label));
}

}  // namespace
}  // namespace mazur
