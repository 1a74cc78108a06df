#include "protocol/record.h"

#include <concepts>
#include <cstring>

#include "trace/block.h"

namespace mazur {
namespace {

class Writer {
 public:
  void number(std::uint64_t value) {
    // Base 128, least significant group first.
    while (value >= 0x80) {
      out_.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    out_.push_back(static_cast<char>(value));
  }
  void text(const std::string& value) {
    number(value.size());
    out_ += value;
  }
  void numbers(const std::vector<std::uint64_t>& values) {
    number(values.size());
    for (const std::uint64_t value : values) number(value);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(std::span<const char> bytes) : bytes_(bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ >= bytes_.size()) return fail();
      const auto byte = static_cast<std::uint8_t>(bytes_[at_++]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }
  template <typename T>
  T as() {
    return static_cast<T>(number());
  }
  std::string text() {
    const std::uint64_t size = number();
    if (size > left()) {
      fail();
      return {};
    }
    std::string value(bytes_.data() + at_, size);
    at_ += size;
    return value;
  }
  // A list whose elements take at least so many bytes each. A size is believed only as far as the
  // bytes go, so that a few bytes cannot ask for much memory.
  template <typename T, std::invocable F>
  std::vector<T> list(std::size_t least, F&& element) {
    const std::uint64_t size = number();
    std::vector<T> values;
    if (size > left() / least) {
      fail();
      return values;
    }
    values.reserve(size);
    for (std::uint64_t i = 0; i < size && good_; ++i) values.push_back(element());
    return values;
  }
  std::vector<std::uint64_t> numbers() {
    return list<std::uint64_t>(1, [this] { return number(); });
  }
  void refuse() { good_ = false; }
  bool done() const { return good_ && at_ == bytes_.size(); }

 private:
  std::uint64_t left() const { return good_ ? bytes_.size() - at_ : 0; }
  std::uint64_t fail() {
    good_ = false;
    return 0;
  }

  std::span<const char> bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

void write(Writer& out, const Operation& op) {
  out.number(static_cast<std::uint64_t>(op.kind));
  out.number(op.order);
  out.number(op.timed ? 1 : 0);
  out.number(static_cast<std::uint64_t>(op.comparison));
  out.number(op.size);
  out.number(op.object);
  out.number(op.object2);
  out.number(op.value);
}

void read(Reader& in, Operation& op) {
  const std::uint64_t kind = in.number();
  op.kind =
      kind <= static_cast<std::uint64_t>(kLastKind) ? static_cast<OpKind>(kind) : OpKind::kNone;
  op.order = in.as<std::uint8_t>();
  op.timed = in.number() != 0;
  op.comparison = static_cast<Comparison>(in.number() & 3);
  op.size = in.as<std::uint32_t>();
  op.object = in.number();
  op.object2 = in.number();
  op.value = in.number();
}

// Readers use these as indices.
bool names_a_thread(const Operation& op) {
  return (op.kind != OpKind::kCreate && op.kind != OpKind::kJoin) || op.object < kNoThread;
}

constexpr std::size_t kOperationBytes = 8, kEventBytes = kOperationBytes + 8, kAccessBytes = 7;

void write(Writer& out, const Event& event) {
  out.number(event.thread);
  out.number(event.choice);
  out.number(event.ways);
  write(out, static_cast<const Operation&>(event.label));
  out.number(event.label.read);
  out.number(event.label.written);
  out.number(event.label.before);
  out.number(event.label.pc);
  out.number(event.label.success ? 1 : 0);
  if (event.label.kind != OpKind::kBlock) return;
  const auto list = is_unknown_block(event.label) ? std::vector<BlockAccess>{}
                                                  : block_table.contents(event.label);
  out.number(list.size());
  for (const BlockAccess& a : list) {
    out.number(static_cast<std::uint64_t>(a.access.space));
    out.number(a.access.mode);
    out.number(a.access.size);
    out.number(a.access.object);
    out.number(a.reads ? 1 : 0);
    out.number(a.before);
    out.number(a.after);
  }
}

BlockAccess read_access(Reader& in) {
  BlockAccess a;
  a.access.space = in.number() == 0 ? Space::kMemory : Space::kMutex;
  a.access.mode = static_cast<Mode>(in.number() % kModes);
  a.access.size = in.as<std::uint32_t>();
  a.access.object = in.number();
  a.reads = in.number() != 0;
  a.before = in.number();
  a.after = in.number();
  return a;
}

Event read_event(Reader& in) {
  Event event;
  event.thread = in.as<ThreadId>();
  event.choice = in.as<std::uint16_t>();
  event.ways = in.as<std::uint16_t>();
  read(in, event.label);
  event.label.read = in.number();
  event.label.written = in.number();
  event.label.before = in.number();
  event.label.pc = in.number();
  event.label.success = in.number() != 0;
  if (event.label.kind == OpKind::kBlock)
    block_table.intern(in.list<BlockAccess>(kAccessBytes, [&in] { return read_access(in); }),
                       event.label);
  if (!names_a_thread(event.label)) in.refuse();
  return event;
}

}  // namespace

std::string encode(const Record& record) {
  Writer out;
  out.number(static_cast<std::uint64_t>(record.kind));
  out.number(record.thread);
  out.text(record.message);
  out.numbers(record.stack);
  out.numbers(record.locks);
  out.number(record.other.thread);
  out.text(record.other.what);
  out.numbers(record.other.stack);
  out.numbers(record.other.locks);
  out.number(record.execution);
  out.number(record.count);
  out.number(record.events.size());
  for (const Event& event : record.events) write(out, event);
  out.number(record.event_stacks.size());
  for (const auto& stack : record.event_stacks) out.numbers(stack);
  out.number(record.threads.size());
  for (const ThreadState& thread : record.threads) {
    out.number(thread.thread);
    out.number(thread.parent);
    out.number((thread.ended ? 1 : 0) | (thread.enabled ? 2 : 0));
    write(out, thread.op);
    out.number(thread.holder);
    out.numbers(thread.stack);
  }
  out.number(record.modules.size());
  for (const Module& module : record.modules) {
    out.number(module.base);
    out.number(module.begin);
    out.number(module.end);
    out.text(module.path);
  }
  out.text(record.output);
  out.number(record.thread_names.size());
  for (const auto& [thread, name] : record.thread_names) {
    out.number(thread);
    out.text(name);
  }
  out.number(record.object_names.size());
  for (const auto& [object, name] : record.object_names) {
    out.number(object);
    out.text(name);
  }
  out.numbers(record.preemptions);
  out.number(record.found_steps);
  out.number(record.found_preemptions);
  out.number((record.minimal ? 1 : 0) | (record.every_access ? 0 : 2));
  if (!record.every_access) out.numbers(record.granules);
  return out.take();
}

std::optional<Record> decode_record(std::span<const char> bytes) {
  Reader in(bytes);
  Record record;
  const std::uint64_t kind = in.number();
  if (kind > static_cast<std::uint64_t>(FailureKind::kStepLimit)) return std::nullopt;
  record.kind = static_cast<FailureKind>(kind);
  record.thread = in.as<ThreadId>();
  record.message = in.text();
  record.stack = in.numbers();
  record.locks = in.numbers();
  record.other.thread = in.as<ThreadId>();
  record.other.what = in.text();
  record.other.stack = in.numbers();
  record.other.locks = in.numbers();
  record.execution = in.number();
  record.count = in.number();
  record.events = in.list<Event>(kEventBytes, [&in] { return read_event(in); });
  record.event_stacks = in.list<std::vector<std::uint64_t>>(1, [&in] { return in.numbers(); });
  if (!record.event_stacks.empty() && record.event_stacks.size() != record.events.size())
    return std::nullopt;
  record.threads = in.list<ThreadState>(kOperationBytes + 5, [&in] {
    ThreadState thread;
    thread.thread = in.as<ThreadId>();
    thread.parent = in.as<ThreadId>();
    const std::uint64_t flags = in.number();
    thread.ended = (flags & 1) != 0;
    thread.enabled = (flags & 2) != 0;
    read(in, thread.op);
    // What a block would touch is known in the process that wrote this only.
    if (thread.op.kind == OpKind::kBlock) thread.op.value = 0;
    if (!names_a_thread(thread.op)) in.refuse();
    thread.holder = in.as<ThreadId>();
    thread.stack = in.numbers();
    return thread;
  });
  record.modules = in.list<Module>(4, [&in] {
    Module module;
    module.base = in.number();
    module.begin = in.number();
    module.end = in.number();
    module.path = in.text();
    return module;
  });
  record.output = in.text();
  record.thread_names = in.list<std::pair<ThreadId, std::string>>(2, [&in] {
    const auto thread = in.as<ThreadId>();
    return std::pair(thread, in.text());
  });
  record.object_names = in.list<std::pair<ObjectId, std::string>>(2, [&in] {
    const ObjectId object = in.number();
    return std::pair(object, in.text());
  });
  record.preemptions = in.numbers();
  record.found_steps = in.number();
  record.found_preemptions = in.number();
  const std::uint64_t flags = in.number();
  record.minimal = (flags & 1) != 0;
  record.every_access = (flags & 2) == 0;
  if (!record.every_access) record.granules = in.numbers();
  if (!in.done()) return std::nullopt;
  return record;
}

}  // namespace mazur
