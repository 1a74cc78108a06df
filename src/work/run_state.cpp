#include "work/run_state.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/archive.h"
#include "base/hash.h"
#include "protocol/tally_fields.h"
#include "work/store.h"

namespace mazur {
namespace {

constexpr std::size_t kChecksum = sizeof(std::uint64_t);

// Values that have a byte encoding of their own, as texts.
template <typename Archive, typename T, typename Decode>
void nested(Archive& archive, T& value, Decode decode) {
  std::string bytes;
  if constexpr (!Archive::kReads) bytes = encode(value);
  archive.text(bytes);
  if constexpr (std::is_same_v<Archive, Reader>) {
    auto read = decode(bytes);
    archive.must(read.has_value());
    if (read) value = *std::move(read);
  }
}

constexpr auto record_of = [](const std::string& bytes) { return decode_record(bytes); };
constexpr auto knowledge_of = [](const std::string& bytes) { return decode_knowledge(bytes); };
constexpr auto remarks_of = [](const std::string& bytes) { return decode_remarks(bytes); };

constexpr auto record_fields = [](auto& archive, auto& record) {
  nested(archive, record, record_of);
};

constexpr auto error_fields = [](auto& archive, auto& error) {
  archive.number(error.place);
  record_fields(archive, error.record);
};

constexpr auto results_fields = [](auto& archive, auto& results) {
  tally_fields(archive, results.tally);
  archive.list(results.errors, error_fields);
  archive.number(results.unsupported);
  archive.text(results.reason);
};

constexpr auto run_fields = []<typename Archive>(Archive& archive, auto& run) {
  archive.text(run.facts.terms);
  archive.flags(run.facts.keep_going, run.facts.first, run.stopped);
  archive.number(run.beginning);
  nested(archive, run.known, knowledge_of);
  std::uint32_t cuts = run.cuts.bits();
  archive.number(cuts);
  if constexpr (Archive::kReads) run.cuts = Cuts(cuts & ((std::uint32_t{1} << kCuts) - 1));
  archive.text(run.reason);
  nested(archive, run.remarks, remarks_of);
  archive.number_up_to(run.verdict, Verdict::kUnsupported);
  archive.list(run.records, record_fields);
};

std::string sealed(std::string bytes) {
  const std::uint64_t sum = fnv1a(bytes);
  bytes.append(reinterpret_cast<const char*>(&sum), kChecksum);
  return bytes;
}

[[noreturn]] void damaged(const std::string& ledger) {
  throw LedgerError("the ledger '" + ledger + "' is damaged: a checksum in it is wrong.");
}

std::span<const char> unsealed(std::string_view bytes, const std::string& ledger) {
  if (bytes.size() < kChecksum) damaged(ledger);
  const std::span<const char> content(bytes.data(), bytes.size() - kChecksum);
  std::uint64_t sum = 0;
  std::memcpy(&sum, content.data() + content.size(), kChecksum);
  if (fnv1a(content) != sum) damaged(ledger);
  return content;
}

template <typename T>
std::string bytes_of(const T& value, auto fields) {
  Writer writer;
  fields(writer, value);
  return sealed(writer.take());
}

template <typename T>
T value_of(std::string_view bytes, auto fields, const std::string& ledger) {
  Reader reader(unsealed(bytes, ledger));
  T value;
  fields(reader, value);
  if (!reader.done())
    throw LedgerError("the ledger '" + ledger + "' holds something that this Mazur cannot read.");
  return value;
}

}  // namespace

void add(Tally& sum, const Tally& more) {
  sum.complete += more.complete;
  sum.blocked += more.blocked;
  sum.assume_blocked += more.assume_blocked;
  sum.bounded += more.bounded;
  sum.events += more.events;
  sum.failures += more.failures;
  sum.depth = more.depth;
}

void add(ItemResults& all, ItemResults&& more) {
  for (FoundError& error : more.errors) {
    const auto same = std::ranges::find(all.errors, error.place, &FoundError::place);
    if (same != all.errors.end()) {
      same->record.count += error.record.count;
      continue;
    }
    error.record.execution += all.tally.total();
    all.errors.push_back(std::move(error));
  }
  add(all.tally, more.tally);
  if (!more.unsupported) return;
  all.unsupported = true;
  all.reason = std::move(more.reason);
}

std::string encode(const RunState& run) { return bytes_of(run, run_fields); }
std::string encode(const ItemResults& results) { return bytes_of(results, results_fields); }
std::string seal(const std::string& piece) { return sealed(piece); }

RunState decode_run(std::string_view bytes, const std::string& ledger) {
  return value_of<RunState>(bytes, run_fields, ledger);
}
ItemResults decode_results(std::string_view bytes, const std::string& ledger) {
  if (bytes.empty()) return {};
  return value_of<ItemResults>(bytes, results_fields, ledger);
}
std::string unseal(std::string_view bytes, const std::string& ledger) {
  const auto content = unsealed(bytes, ledger);
  return {content.data(), content.size()};
}

}  // namespace mazur
