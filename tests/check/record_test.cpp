#include "protocol/record.h"

#include <gtest/gtest.h>

#include <random>

#include "protocol/channel.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

std::uint64_t any_number(std::mt19937_64& random) {
  // Short and long encodings alike.
  return random() >> (random() % 64);
}

std::string any_text(std::mt19937_64& random) {
  std::string text(random() % 20, ' ');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

std::vector<std::uint64_t> any_numbers(std::mt19937_64& random) {
  std::vector<std::uint64_t> numbers(random() % 5);
  for (auto& number : numbers) number = any_number(random);
  return numbers;
}

Operation any_operation(std::mt19937_64& random) {
  Operation op;
  op.kind = static_cast<OpKind>(random() % (static_cast<unsigned>(OpKind::kNever) + 1));
  op.order = static_cast<std::uint8_t>(random() % 6);
  op.timed = random() % 2 == 0;
  op.comparison = static_cast<Comparison>(random() % 4);
  op.size = static_cast<std::uint32_t>(any_number(random));
  op.object = any_number(random);
  if (op.kind == OpKind::kCreate || op.kind == OpKind::kJoin) op.object %= kNoThread;
  op.object2 = any_number(random);
  op.value = any_number(random);
  return op;
}

Record any_record(std::mt19937_64& random) {
  Record record;
  record.kind =
      static_cast<FailureKind>(random() % (static_cast<unsigned>(FailureKind::kUnsupported) + 1));
  record.thread = static_cast<ThreadId>(random());
  record.message = any_text(random);
  for (std::size_t at = random() % 4; at < record.message.text.size(); at += 1 + random() % 4)
    record.message.mentions.push_back({at, at + 1, any_number(random)});
  record.stack = any_numbers(random);
  record.locks = any_numbers(random);
  record.other = {static_cast<ThreadId>(random()), any_text(random), any_numbers(random),
                  any_numbers(random)};
  record.execution = any_number(random);
  record.count = any_number(random);
  for (std::size_t i = random() % 6; i > 0; --i) {
    Event event;
    event.thread = static_cast<ThreadId>(random());
    event.choice = static_cast<std::uint16_t>(random());
    event.ways = static_cast<std::uint16_t>(random());
    static_cast<Operation&>(event.label) = any_operation(random);
    event.label.read = any_number(random);
    event.label.written = any_number(random);
    event.label.before = any_number(random);
    event.label.pc = any_number(random);
    event.label.success = random() % 2 == 0;
    const StoreRef refs[] = {kNewest, kNoStore, kBehind,
                             static_cast<StoreRef>(record.events.size() - 1)};
    event.label.ref = refs[random() % (record.events.empty() ? 3 : 4)];
    if (random() % 2 == 0) event.label.epoch = static_cast<std::uint16_t>(random());
    record.events.push_back(event);
  }
  if (random() % 2 == 0)
    for (std::size_t i = 0; i < record.events.size(); ++i)
      record.event_stacks.push_back(any_numbers(random));
  for (std::size_t i = random() % 4; i > 0; --i) {
    ThreadState state;
    state.thread = static_cast<ThreadId>(random());
    state.parent = static_cast<ThreadId>(random());
    state.ended = random() % 2 == 0;
    state.enabled = random() % 2 == 0;
    state.op = any_operation(random);
    state.holder = static_cast<ThreadId>(random());
    state.stack = any_numbers(random);
    record.threads.push_back(state);
  }
  for (std::size_t i = random() % 3; i > 0; --i)
    record.modules.push_back(
        {any_number(random), any_number(random), any_number(random), any_text(random)});
  record.output = any_text(random);
  for (std::size_t i = random() % 3; i > 0; --i)
    record.thread_names.emplace_back(static_cast<ThreadId>(random()), any_text(random));
  for (std::size_t i = random() % 3; i > 0; --i)
    record.object_names.emplace_back(any_number(random), any_text(random));
  record.preemptions = any_numbers(random);
  record.found_steps = any_number(random);
  record.found_preemptions = any_number(random);
  record.minimal = random() % 2 == 0;
  record.every_access = random() % 2 == 0;
  if (!record.every_access) record.granules = any_numbers(random);
  return record;
}

TEST(Record, RoundTripKeepsEveryField) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Record record = any_record(random);
    const auto back = decode_record(encode(record));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->kind, record.kind);
    EXPECT_EQ(back->thread, record.thread);
    EXPECT_EQ(back->message, record.message);
    EXPECT_EQ(back->stack, record.stack);
    EXPECT_EQ(back->locks, record.locks);
    EXPECT_EQ(back->other.thread, record.other.thread);
    EXPECT_EQ(back->other.what, record.other.what);
    EXPECT_EQ(back->other.stack, record.other.stack);
    EXPECT_EQ(back->other.locks, record.other.locks);
    EXPECT_EQ(back->execution, record.execution);
    EXPECT_EQ(back->count, record.count);
    EXPECT_EQ(back->event_stacks, record.event_stacks);
    EXPECT_EQ(back->output, record.output);
    EXPECT_EQ(back->thread_names, record.thread_names);
    EXPECT_EQ(back->object_names, record.object_names);
    EXPECT_EQ(back->preemptions, record.preemptions);
    EXPECT_EQ(back->found_steps, record.found_steps);
    EXPECT_EQ(back->found_preemptions, record.found_preemptions);
    EXPECT_EQ(back->minimal, record.minimal);
    EXPECT_EQ(back->every_access, record.every_access);
    EXPECT_EQ(back->granules, record.granules);
    ASSERT_EQ(back->events.size(), record.events.size());
    for (std::size_t e = 0; e < record.events.size(); ++e) {
      const Event &a = back->events[e], &b = record.events[e];
      EXPECT_EQ(a.step(), b.step());
      EXPECT_EQ(a.ways, b.ways);
      EXPECT_EQ(static_cast<const Operation&>(a.label), static_cast<const Operation&>(b.label));
      EXPECT_EQ(a.label.read, b.label.read);
      EXPECT_EQ(a.label.written, b.label.written);
      EXPECT_EQ(a.label.before, b.label.before);
      EXPECT_EQ(a.label.pc, b.label.pc);
      EXPECT_EQ(a.label.success, b.label.success);
      EXPECT_EQ(a.label.epoch, b.label.epoch);
    }
    ASSERT_EQ(back->threads.size(), record.threads.size());
    for (std::size_t t = 0; t < record.threads.size(); ++t) {
      const ThreadState &a = back->threads[t], &b = record.threads[t];
      EXPECT_EQ(a.thread, b.thread);
      EXPECT_EQ(a.parent, b.parent);
      EXPECT_EQ(a.ended, b.ended);
      EXPECT_EQ(a.enabled, b.enabled);
      EXPECT_EQ(a.op, b.op);
      EXPECT_EQ(a.holder, b.holder);
      EXPECT_EQ(a.stack, b.stack);
    }
    ASSERT_EQ(back->modules.size(), record.modules.size());
    for (std::size_t m = 0; m < record.modules.size(); ++m) {
      EXPECT_EQ(back->modules[m].base, record.modules[m].base);
      EXPECT_EQ(back->modules[m].begin, record.modules[m].begin);
      EXPECT_EQ(back->modules[m].end, record.modules[m].end);
      EXPECT_EQ(back->modules[m].path, record.modules[m].path);
    }
  }
}

// As it was before there was one.
TEST(Record, WithoutAListOfGranulesEveryAccessIsAnEvent) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 50; ++i) {
    Record record = any_record(random);
    record.every_access = true;
    record.granules = {1, 2, 3};
    record.message.mentions.clear();
    for (Event& event : record.events) {
      event.label.ref = kNewest;
      event.label.epoch = 0;
    }
    const std::string bytes = encode(record);
    // The last bytes are the sizes of the lists of mentions, of what steps say about memory, and of
    // epochs.
    EXPECT_EQ(static_cast<unsigned char>(bytes[bytes.size() - 4]), record.minimal ? 1 : 0);
    const auto back = decode_record(bytes);
    ASSERT_TRUE(back);
    EXPECT_TRUE(back->every_access);
    EXPECT_TRUE(back->granules.empty());
  }
}

TEST(Record, EveryTruncationIsNoticed) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 50; ++i) {
    const std::string bytes = encode(any_record(random));
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_FALSE(decode_record(std::span(bytes.data(), size))) << size;
    EXPECT_FALSE(decode_record(bytes + "x"));
  }
}

TEST(Record, MutationsNeverCrash) {
  std::mt19937_64 random(3);
  std::size_t accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = encode(any_record(random));
    for (std::size_t edit = 1 + random() % 4; edit > 0 && !bytes.empty(); --edit) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes[at] = static_cast<char>(0xff);
          break;
        case 2:
          bytes.erase(at, 1 + random() % 4);
          break;
        default:
          bytes.insert(at, 1 + random() % 4, static_cast<char>(random()));
      }
    }
    // What is accepted is a record: it can be written and read again.
    if (const auto record = decode_record(bytes)) {
      ++accepted;
      EXPECT_TRUE(decode_record(encode(*record)));
    }
  }
  EXPECT_GT(accepted, 0u);
}

TEST(Record, RandomBytesNeverCrash) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 200, ' ');
    for (char& c : bytes) c = static_cast<char>(random());
    if (const auto record = decode_record(bytes)) {
      EXPECT_TRUE(decode_record(encode(*record)));
    }
  }
}

TEST(Channel, TheLogStartsOnAPageOfItsOwn) {
  EXPECT_GE(kChannelHeader, sizeof(Channel));
  EXPECT_EQ(kChannelHeader % 4096, 0u);
  EXPECT_EQ(kWorkArea, kChannelHeader + Channel::kLogSize);
  EXPECT_EQ(kChannelBytes, kWorkArea + kWorkAreaSize);
}

TEST(Describe, EveryOperationHasAName) {
  for (unsigned kind = 0; kind <= static_cast<unsigned>(kLastKind); ++kind)
    EXPECT_NE(operation_name(static_cast<OpKind>(kind)), "unknown operation") << kind;
}

// The order of events is kept in arrays by thread: this one wrote outside of them.
TEST(Record, AThreadThatCannotBeIsRefused) {
  for (const OpKind kind : {OpKind::kCreate, OpKind::kJoin}) {
    Record record;
    record.events.resize(1);
    record.events[0].label.kind = kind;
    record.events[0].label.object = 7;
    EXPECT_TRUE(decode_record(encode(record)));
    record.events[0].label.object = std::uint64_t{1} << 40;
    EXPECT_FALSE(decode_record(encode(record)));
    record.events.clear();
    record.threads.resize(1);
    record.threads[0].op = {.kind = kind, .object = std::uint64_t{1} << 40};
    EXPECT_FALSE(decode_record(encode(record)));
  }
}

TEST(Record, MentionsBesideTheMessageAreRefused) {
  Record record;
  record.message = "mutex";
  record.message.mentions = {{0, 5, 1}};
  EXPECT_TRUE(decode_record(encode(record)));
  record.message.mentions = {{0, 6, 1}};
  EXPECT_FALSE(decode_record(encode(record)));
}

// A thread that waits at a block: its accesses are a number in the table of another process.
TEST(Record, ABlockThatHasNotRunIsUnknown) {
  Record record;
  record.threads.resize(1);
  record.threads[0].op = {.kind = OpKind::kAtomicBlock, .value = 1234567};
  const auto back = decode_record(encode(record));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->threads[0].op.value, 0u);
}

// Sizes beyond the bytes that are there; the reader must not ask for that much memory.
TEST(Record, HugeSizesAreRefusedAtOnce) {
  const std::string good = encode(Record{});
  const std::string huge = "\xff\xff\xff\xff\xff\xff\xff\x7f";  // 2^56 - 1
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes.replace(at, 1, huge);
    const auto record = decode_record(bytes);
    if (record) {
      EXPECT_TRUE(record->events.empty() && record->threads.empty());
    }
  }
  // As many events as bytes: each takes more than one.
  Record record;
  record.message = std::string(100'000, 'x');
  std::string bytes = encode(record);
  bytes.resize(bytes.size() - 1);
  EXPECT_FALSE(decode_record(bytes));
}

}  // namespace
}  // namespace mazur
