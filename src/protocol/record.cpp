#include "protocol/record.h"

#include "base/archive.h"
#include "trace/atomic_block/block.h"

namespace mazur {
namespace {

constexpr auto number_fields = [](auto& archive, auto& number) { archive.number(number); };
constexpr auto numbers_fields = [](auto& archive, auto& numbers) {
  archive.list(numbers, number_fields);
};

constexpr auto operation_fields = [](auto& archive, auto& op) {
  archive.number(op.kind, [](std::uint64_t number) {
    return number <= static_cast<std::uint64_t>(kLastKind) ? static_cast<OpKind>(number)
                                                           : OpKind::kNone;
  });
  archive.number(op.order);
  archive.number(op.timed);
  archive.number(op.comparison,
                 [](std::uint64_t number) { return static_cast<Comparison>(number & 3); });
  archive.number(op.size);
  archive.number(op.object);
  archive.number(op.object2);
  archive.number(op.value);
  // Readers use these as indices.
  const bool names_a_thread = op.kind == OpKind::kCreate || op.kind == OpKind::kJoin;
  archive.must(!names_a_thread || op.object < kNoThread);
};

constexpr auto access_fields = [](auto& archive, auto& a) {
  archive.number(a.access.space,
                 [](std::uint64_t number) { return number == 0 ? Space::kMemory : Space::kMutex; });
  archive.number(a.access.mode,
                 [](std::uint64_t number) { return static_cast<Mode>(number % kModes); });
  archive.number(a.access.size);
  archive.number(a.access.object);
  archive.number(a.reads);
  archive.number(a.before);
  archive.number(a.after);
};

constexpr auto event_fields = []<typename Archive>(Archive& archive, auto& event) {
  archive.number(event.thread);
  archive.number(event.choice);
  archive.number(event.ways);
  auto& label = event.label;
  operation_fields(archive, label);
  archive.number(label.read);
  archive.number(label.written);
  archive.number(label.before);
  archive.number(label.pc);
  archive.number(label.success);
  if (label.kind != OpKind::kAtomicBlock) return;
  // A block's label has a meaning in one process only: its accesses travel.
  std::vector<BlockAccess> accesses;
  if constexpr (!Archive::kReads)
    if (!is_unknown_block(label)) accesses = block_table.contents(label);
  archive.list(accesses, access_fields);
  if constexpr (Archive::kReads) block_table.intern(accesses, label);
};

constexpr auto thread_fields = []<typename Archive>(Archive& archive, auto& thread) {
  archive.number(thread.thread);
  archive.number(thread.parent);
  archive.flags(thread.ended, thread.enabled);
  operation_fields(archive, thread.op);
  // What a block would touch is known in the process that wrote this only.
  if constexpr (Archive::kReads)
    if (thread.op.kind == OpKind::kAtomicBlock) thread.op.value = 0;
  archive.number(thread.holder);
  archive.list(thread.stack, number_fields);
};

constexpr auto module_fields = [](auto& archive, auto& module) {
  archive.number(module.base);
  archive.number(module.begin);
  archive.number(module.end);
  archive.text(module.path);
};

constexpr auto name_fields = [](auto& archive, auto& name) {
  archive.number(name.first);
  archive.text(name.second);
};

constexpr auto mention_fields = [](auto& archive, auto& mention) {
  archive.number(mention.begin);
  archive.number(mention.end);
  archive.number(mention.object);
};

constexpr auto record_fields = []<typename Archive>(Archive& archive, auto& record) {
  archive.number_up_to(record.kind, FailureKind::kStepLimit);
  archive.number(record.thread);
  archive.text(record.message.text);
  archive.list(record.stack, number_fields);
  archive.list(record.locks, number_fields);
  archive.number(record.other.thread);
  archive.text(record.other.what);
  archive.list(record.other.stack, number_fields);
  archive.list(record.other.locks, number_fields);
  archive.number(record.execution);
  archive.number(record.count);
  archive.list(record.events, event_fields);
  archive.list(record.event_stacks, numbers_fields);
  archive.must(record.event_stacks.empty() || record.event_stacks.size() == record.events.size());
  archive.list(record.threads, thread_fields);
  archive.list(record.modules, module_fields);
  archive.text(record.output);
  archive.list(record.thread_names, name_fields);
  archive.list(record.object_names, name_fields);
  archive.list(record.preemptions, number_fields);
  archive.number(record.found_steps);
  archive.number(record.found_preemptions);
  bool some_accesses = !record.every_access;
  archive.flags(record.minimal, some_accesses, record.by_portfolio);
  if constexpr (Archive::kReads) record.every_access = !some_accesses;
  if (some_accesses) archive.list(record.granules, number_fields);
};

constexpr auto mentions_fields = [](auto& archive, auto& message) {
  archive.list(message.mentions, mention_fields);
  archive.must(message.is_sound());
};

// Steps that say something about memory, by their places: few do.
struct PlacedRef {
  std::uint64_t place = 0;
  StoreRef ref = kNewest;
};
constexpr auto ref_fields = [](auto& archive, auto& placed) {
  archive.number(placed.place);
  archive.number(placed.ref);
};

constexpr auto refs_fields = []<typename Archive>(Archive& archive, auto& events) {
  std::vector<PlacedRef> refs;
  if constexpr (!Archive::kReads)
    for (std::size_t i = 0; i < events.size(); ++i)
      if (events[i].label.ref != kNewest) refs.push_back({i, events[i].label.ref});
  archive.list(refs, ref_fields);
  if constexpr (Archive::kReads)
    for (const PlacedRef& placed : refs) {
      archive.must(placed.place < events.size() &&
                   (placed.ref >= kBehind || placed.ref < placed.place));
      if (placed.place < events.size()) events[placed.place].label.ref = placed.ref;
    }
};

// One for each event, or none if the machine knows of none.
constexpr auto epochs_fields = []<typename Archive>(Archive& archive, auto& events) {
  std::vector<std::uint16_t> epochs;
  if constexpr (!Archive::kReads)
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].label.epoch == 0) continue;
      epochs.resize(events.size());
      epochs[i] = events[i].label.epoch;
    }
  archive.list(epochs, number_fields);
  if constexpr (Archive::kReads) {
    archive.must(epochs.empty() || epochs.size() == events.size());
    for (std::size_t i = 0; i < events.size() && i < epochs.size(); ++i)
      events[i].label.epoch = epochs[i];
  }
};

}  // namespace

std::string encode(const Record& record) {
  Writer out;
  record_fields(out, record);
  mentions_fields(out, record.message);
  refs_fields(out, record.events);
  epochs_fields(out, record.events);
  return out.take();
}

std::optional<Record> decode_record(std::span<const char> bytes, RecordParts parts) {
  Reader in(bytes);
  Record record;
  record_fields(in, record);
  if (parts.mentions) mentions_fields(in, record.message);
  if (parts.refs) refs_fields(in, record.events);
  if (parts.epochs) epochs_fields(in, record.events);
  if (!in.done()) return std::nullopt;
  return record;
}

}  // namespace mazur
