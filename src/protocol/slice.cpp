#include "protocol/slice.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "base/archive.h"
#include "protocol/tally_fields.h"

namespace mazur {
namespace {

constexpr auto one_number = [](auto& archive, auto& n) { archive.number(n); };
constexpr auto one_text = [](auto& archive, auto& text) { archive.text(text); };

constexpr auto known_fields = [](auto& archive, auto& known) {
  archive.list(known.parents, one_number);
  archive.list(known.looked_at, one_number);
  archive.flags(known.relied_on_rest, known.all_looked_at, known.atomics_may_race);
  archive.list(known.locks, one_number);
  archive.list(known.tried, one_number);
  archive.flags(known.locks_given_up, known.time_is_seen, known.time_left_out);
  archive.number(known.lessons);
};

constexpr auto offer_fields = [](auto& archive, auto& offer) {
  archive.text(offer.piece);
  known_fields(archive, offer.known);
  archive.number(offer.begins_again);
};

constexpr auto called_fields = [](auto& archive, auto& called) {
  archive.number(called.module.base);
  archive.number(called.module.begin);
  archive.number(called.module.end);
  archive.text(called.module.path);
  archive.list(called.callers, one_number);
};

constexpr auto note_fields = []<typename Archive>(Archive& archive, auto& note) {
  std::string bytes;
  if constexpr (!Archive::kReads) bytes = encode(note);
  archive.text(bytes);
  if constexpr (std::is_same_v<Archive, Reader>) {
    auto read = decode_record(bytes);
    archive.must(read && read->kind == FailureKind::kNone);
    if (read) note = *std::move(read);
  }
};

constexpr auto remarks_fields = [](auto& archive, auto& remarks) {
  archive.flags(remarks.has_sequential_objects, remarks.has_unexplored_wakeups);
  archive.list(remarks.called, called_fields);
  archive.list(remarks.notes, note_fields);
};

constexpr auto end_fields = [](auto& archive, auto& end) {
  archive.number_up_to(end.verdict, Verdict::kUnsupported);
  archive.text(end.reason);
  archive.number(end.cuts);
  tally_fields(archive, end.tally);
  archive.flags(end.paused, end.outdated, end.refused);
  archive.list(end.pieces, one_text);
  archive.list(end.places, one_number);
  known_fields(archive, end.known);
  remarks_fields(archive, end.remarks);
  archive.number(end.stopped);
  archive.number(end.microseconds);
  archive.real(end.explored);
};

template <typename T>
std::string bytes_of(const T& value, auto fields) {
  Writer writer;
  fields(writer, value);
  return writer.take();
}

template <typename T>
std::optional<T> value_of(std::span<const char> bytes, auto fields) {
  Reader reader(bytes);
  T value;
  fields(reader, value);
  if (!reader.done()) return std::nullopt;
  return value;
}

using Set = std::vector<std::uint64_t>;  // sorted

Set join(const Set& a, const Set& b) {
  Set both;
  std::ranges::set_union(a, b, std::back_inserter(both));
  return both;
}

bool meet(const Set& a, const Set& b) {
  Set common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return !common.empty();
}

// Whether a knows of bytes that are looked at and b does not.
bool knows_more(const SharedKnowledge& a, const SharedKnowledge& b) {
  if (a.all_looked_at || b.all_looked_at) return !b.all_looked_at;
  return !std::ranges::includes(b.looked_at, a.looked_at);
}

}  // namespace

Fit merge(SharedKnowledge& known, const SharedKnowledge& other) {
  const std::size_t common = std::min(known.parents.size(), other.parents.size());
  if (!std::equal(known.parents.begin(), known.parents.begin() + static_cast<long>(common),
                  other.parents.begin()))
    return Fit::kOtherThreads;
  if (other.parents.size() > common) known.parents = other.parents;

  // Whoever has judged a loop has relied on that nobody looks at more than was known then.
  bool outdated = (known.relied_on_rest && knows_more(other, known)) ||
                  (other.relied_on_rest && knows_more(known, other));
  known.looked_at = join(known.looked_at, other.looked_at);
  known.all_looked_at = known.all_looked_at || other.all_looked_at;
  known.relied_on_rest = known.relied_on_rest || other.relied_on_rest;
  known.atomics_may_race = known.atomics_may_race || other.atomics_may_race;
  known.locks = join(known.locks, other.locks);
  known.tried = join(known.tried, other.tried);
  known.locks_given_up = known.locks_given_up || other.locks_given_up;
  if (!known.locks_given_up && meet(known.locks, known.tried))
    outdated = known.locks_given_up = true;
  known.time_is_seen = known.time_is_seen || other.time_is_seen;
  known.time_left_out = known.time_left_out || other.time_left_out;
  // Who has learned something while it explored a part says itself that this is outdated.
  known.lessons |= other.lessons;
  if (outdated) known.relied_on_rest = false;
  return outdated ? Fit::kOutdated : Fit::kGood;
}

namespace {

// Notes of several processes about the same thing become one.
bool merge(Record& note, const Record& more) {
  bool changed = false;
  for (std::size_t i = 0; i < std::min(more.events.size(), more.event_stacks.size()); ++i) {
    if (std::ranges::find(note.event_stacks, more.event_stacks[i]) != note.event_stacks.end())
      continue;
    note.events.push_back(more.events[i]);
    note.event_stacks.push_back(more.event_stacks[i]);
    changed = true;
  }
  return changed;
}

}  // namespace

bool merge(Remarks& remarks, const Remarks& more) {
  bool changed = (more.has_sequential_objects && !remarks.has_sequential_objects) ||
                 (more.has_unexplored_wakeups && !remarks.has_unexplored_wakeups);
  remarks.has_sequential_objects = remarks.has_sequential_objects || more.has_sequential_objects;
  remarks.has_unexplored_wakeups = remarks.has_unexplored_wakeups || more.has_unexplored_wakeups;
  for (const CalledModule& called : more.called) {
    const auto is_same = [&](const CalledModule& c) { return c.module.path == called.module.path; };
    if (std::ranges::any_of(remarks.called, is_same)) continue;
    remarks.called.push_back(called);
    changed = true;
  }
  for (const Record& note : more.notes) {
    const auto is_same = [&](const Record& n) { return n.message.text == note.message.text; };
    const auto same = std::ranges::find_if(remarks.notes, is_same);
    if (same != remarks.notes.end()) {
      changed = merge(*same, note) || changed;
      continue;
    }
    remarks.notes.push_back(note);
    changed = true;
  }
  return changed;
}

std::string encode(const SharedKnowledge& known) { return bytes_of(known, known_fields); }
std::string encode(const Remarks& remarks) { return bytes_of(remarks, remarks_fields); }
std::optional<SharedKnowledge> decode_knowledge(std::span<const char> bytes) {
  return value_of<SharedKnowledge>(bytes, known_fields);
}
std::optional<Remarks> decode_remarks(std::span<const char> bytes) {
  return value_of<Remarks>(bytes, remarks_fields);
}

std::string encode(const Offer& offer) { return bytes_of(offer, offer_fields); }
std::string encode(const SliceEnd& end) { return bytes_of(end, end_fields); }
std::optional<Offer> decode_offer(std::span<const char> bytes) {
  return value_of<Offer>(bytes, offer_fields);
}
std::optional<SliceEnd> decode_slice_end(std::span<const char> bytes) {
  return value_of<SliceEnd>(bytes, end_fields);
}

}  // namespace mazur
