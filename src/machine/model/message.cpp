// Messages and tables of a model program.
#include <algorithm>

#include "machine/model/state.h"

namespace mazur::model {
namespace {

bool is_timed(Code code) { return code == Code::kReceiveAfter || code == Code::kCountAfter; }
bool is_blind(Code code) { return code == Code::kCount || code == Code::kCountAfter; }

}  // namespace

std::uint64_t State::alternatives(const ThreadState& t, const Instruction& in) const {
  return widen(evaluate(t, in.value2));
}

// The oldest message of the thread's mailbox with one of these alternatives; the number of messages
// if there is none.
std::size_t State::oldest(ThreadId owner, std::uint64_t accepted) const {
  const auto found = std::find_if(messages_.begin(), messages_.end(), [&](const Message& m) {
    return m.mailbox == owner && (accepted >> m.alternative & 1) != 0;
  });
  return static_cast<std::size_t>(found - messages_.begin());
}

void State::receive(ThreadId thread, const Instruction& in, Pending& p) const {
  p.op.object = object_id(ObjectClass::kMailbox, thread);
  p.op.value = alternatives(threads_[thread], in);
  p.op.timed = is_timed(in.code);
  p.op.size = is_blind(in.code) ? kBlind : kKnowing;
  const std::vector<Instruction>& code = program_->threads[thread].code;
  const auto next = code.begin() + threads_[thread].pc;
  if (in.code == Code::kCount)
    p.op.object2 = static_cast<ObjectId>(
        std::find_if(next, code.end(), [&](const Instruction& i) { return i != in; }) - next - 1);
  p.enabled = p.op.timed || oldest(thread, accepted(p.op)) < messages_.size();
}

void State::run_message(const Instruction& in, ThreadState& t, ThreadId id, Event& event) {
  Label& label = event.label;
  if (in.code == Code::kSend) {
    const unsigned to = resolve(t, ObjectClass::kMailbox, in.place);
    const auto behind =
        std::upper_bound(messages_.begin(), messages_.end(), to,
                         [](unsigned mailbox, const Message& m) { return mailbox < m.mailbox; });
    messages_.insert(behind, {.mailbox = static_cast<std::uint16_t>(to),
                              .alternative = static_cast<std::uint8_t>(alternative_of(label)),
                              .value = evaluate(t, in.value),
                              .id = sent_message(label)});
    ++t.sent;
    return;
  }
  const std::size_t taken = oldest(id, accepted(label));
  label.success = taken < messages_.size();
  if (is_blind(in.code)) {
    if (label.timed) t.registers[in.reg] = label.success;
  } else {
    t.registers[in.reg] = label.success ? messages_[taken].value : -1;
  }
  if (!label.success) return;
  label.read = messages_[taken].id;
  messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(taken));
}

void State::run_table(const Instruction& in, ThreadState& t, Event& event) {
  std::int32_t& entry = word(ObjectClass::kKey, resolve(t, ObjectClass::kKey, in.place));
  Label& label = event.label;
  const auto odd = static_cast<std::int32_t>(std::int64_t{evaluate(t, in.value)} * 2 + 1);
  if (in.code == Code::kLookup || in.code == Code::kInsertNew) label.read = widen(entry);
  if (in.code == Code::kLookup) {
    t.registers[in.reg] = entry;
    return;
  }
  if (in.code == Code::kInsertNew) {
    label.success = entry == 0;
    t.registers[in.reg] = label.success;
    if (!label.success) return;
  }
  label.before = widen(entry);
  entry = in.code == Code::kDelete ? 0 : odd;
  label.written = widen(entry);
}

}  // namespace mazur::model
