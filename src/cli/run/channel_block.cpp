#include "cli/run/channel_block.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <type_traits>

#include "cli/usage.h"
#include "trace/fields.h"

namespace mazur {
namespace {

// Sums and rates of such numbers stay numbers.
constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 50;

std::uint64_t count(std::uint64_t number) { return std::min(number, kLargestCount); }

// The bytes as they are now. Whatever is done with the copy later does not look at the block again.
std::string copied(const char* from, std::size_t size) {
  std::string copy(from, size);
  asm volatile("" ::: "memory");
  return copy;
}

template <typename T>
T copy_of(const void* from) {
  T copy;
  std::memcpy(&copy, from, sizeof copy);
  asm volatile("" ::: "memory");
  return copy;
}

// A text that may not end.
template <std::size_t n>
std::string text_in(const char (&field)[n]) {
  std::string text = copied(field, n);
  text.resize(strnlen(text.data(), n));
  return text;
}

}  // namespace

ChannelBlock::ChannelBlock(const Request& request, const std::string& replay) {
  if (replay.size() > Channel::kLogSize / 2)
    throw UsageError("the schedule is too long to be run again.");
  descriptor_ = memfd_create("mazur-channel", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  void* memory = MAP_FAILED;
  if (descriptor_ >= 0 && ftruncate(descriptor_, kChannelBytes) == 0 &&
      fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    memory = mmap(nullptr, kChannelBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED)
    throw UsageError(std::string("no shared memory could be made: ") + std::strerror(errno) + ".");
  channel_ = new (memory) Channel;
  channel_->request = request;
  if (!replay.empty()) {
    // At the end of the block: the log grows from its start.
    const std::uint64_t offset = kChannelBytes - replay.size();
    std::memcpy(static_cast<char*>(memory) + offset, replay.data(), replay.size());
    channel_->request.replay = 1;
    channel_->request.replay_offset = offset;
    channel_->request.replay_size = replay.size();
  }
}

ChannelBlock::~ChannelBlock() {
  munmap(channel_, kChannelBytes);
  close(descriptor_);
}

bool ChannelBlock::wants_work() const {
  const Work work = channel_->work.load();
  if (work == Work::kWanted) return true;
  const timespec moment{0, 10'000'000};
  syscall(SYS_futex, &channel_->work, FUTEX_WAIT, work, &moment);
  return channel_->work.load() == Work::kWanted;
}

bool ChannelBlock::offer(const std::optional<Offer>& offer) const {
  const std::string bytes = offer ? encode(*offer) : std::string();
  if (bytes.size() > kWorkAreaSize) return false;
  std::memcpy(reinterpret_cast<char*>(channel_) + kWorkArea, bytes.data(), bytes.size());
  channel_->work_size = bytes.size();
  channel_->work = offer ? Work::kOffered : Work::kOver;
  syscall(SYS_futex, &channel_->work, FUTEX_WAKE, 1);
  return true;
}

std::optional<SliceEnd> ChannelBlock::slice_end() const {
  const std::uint64_t size = channel_->work_size.load();
  if (size > kWorkAreaSize) return std::nullopt;
  const std::string bytes = copied(reinterpret_cast<const char*>(channel_) + kWorkArea, size);
  auto end = decode_slice_end(bytes);
  if (!end) return std::nullopt;
  for (std::uint64_t* number :
       {&end->tally.complete, &end->tally.blocked, &end->tally.assume_blocked, &end->tally.bounded,
        &end->tally.events, &end->tally.failures, &end->tally.depth})
    *number = count(*number);
  return end;
}

Tally ChannelBlock::tally() const {
  return {.complete = count(channel_->complete),
          .blocked = count(channel_->blocked),
          .assume_blocked = count(channel_->assume_blocked),
          .bounded = count(channel_->bounded),
          .events = count(channel_->events),
          .failures = count(channel_->failures),
          .depth = count(channel_->depth)};
}

Tally ChannelBlock::portfolio() const {
  return {.complete = count(channel_->portfolio),
          .events = count(channel_->portfolio_events),
          .failures = count(channel_->portfolio_failures)};
}

double ChannelBlock::seconds() const {
  constexpr double kCentury = 3.2e9;
  const double value = channel_->seconds;
  return value > 1e-9 && value < kCentury ? value : 0;
}

Phase ChannelBlock::phase() const {
  const Phase phase = channel_->phase;
  return phase <= Phase::kDone ? phase : Phase::kExploring;
}

std::optional<Verdict> ChannelBlock::verdict() const {
  const auto number = copy_of<std::underlying_type_t<Verdict>>(&channel_->verdict);
  for (const Verdict known : {Verdict::kVerified, Verdict::kBug, Verdict::kError,
                              Verdict::kIncomplete, Verdict::kUnsupported})
    if (number == static_cast<std::underlying_type_t<Verdict>>(known)) return known;
  return std::nullopt;
}

Cuts ChannelBlock::cuts() const {
  const std::uint32_t bits = channel_->cuts;
  return Cuts(bits & ((std::uint32_t{1} << kCuts) - 1));
}

Explored ChannelBlock::explored() const {
  const double least = channel_->explored, most = channel_->explored_most;
  if (!(most > 0 && most <= 1)) return {};
  return {least > 0 && least <= most ? least : 0, most};
}

std::vector<Record> ChannelBlock::records() const {
  const std::uint64_t size = std::min<std::uint64_t>(channel_->log_size, Channel::kLogSize);
  const std::string log = copied(reinterpret_cast<const char*>(channel_) + kChannelHeader, size);
  std::vector<Record> records;
  std::uint64_t at = 0;
  for (std::size_t n = 0; n < Channel::kMaxRecords && size - at >= sizeof(std::uint64_t); ++n) {
    std::uint64_t length = 0;
    std::memcpy(&length, log.data() + at, sizeof length);
    at += sizeof length;
    if (length > size - at) break;
    if (auto record = decode_record({log.data() + at, length})) {
      if (const std::uint64_t seen = count(channel_->counts[n]); seen > 0) record->count = seen;
      record->count = std::min(record->count, kLargestCount);
      records.push_back(*std::move(record));
    }
    at += length;
  }
  return records;
}

void ChannelBlock::use_orders(std::span<const UsedOrder> orders,
                              std::span<const std::uint64_t> deep_calls) {
  std::ranges::copy(orders, channel_->used_order);
  std::ranges::copy(deep_calls, channel_->deep_call);
  channel_->used_orders = static_cast<std::uint32_t>(orders.size());
  channel_->deep_calls = static_cast<std::uint32_t>(deep_calls.size());
}

std::optional<std::vector<OrderSite>> ChannelBlock::order_sites() const {
  const std::uint32_t size = channel_->order_sites;
  if (size > Channel::kMaxOrderSites) return std::nullopt;
  std::vector<OrderSite> sites;
  for (std::uint32_t i = 0; i < size; ++i) {
    auto site = copy_of<OrderSite>(&channel_->order_site[i]);
    site.frames = std::min<std::uint32_t>(site.frames, OrderSite::kFrames);
    const bool known =
        (is_memory(site.kind) || site.kind == OpKind::kFence) && site.order <= __ATOMIC_SEQ_CST;
    if (known) sites.push_back(site);
  }
  return sites;
}

std::optional<std::vector<std::uint64_t>> ChannelBlock::granules() const {
  const std::uint32_t size = channel_->granules;
  if (size > Channel::kMaxGranules) return std::nullopt;
  std::vector<std::uint64_t> granules(size);
  std::memcpy(granules.data(), channel_->granule, size * sizeof(std::uint64_t));
  return granules;
}

std::vector<Event> ChannelBlock::schedule() const {
  std::vector<Event> events;
  const std::uint32_t size =
      std::min<std::uint32_t>(channel_->schedule_size, Channel::kScheduleSize);
  for (std::uint32_t i = 0; i < size; ++i) {
    const Step step = copy_of<StepSlot>(&channel_->schedule[i]);
    Event event;
    event.thread = step.thread;
    event.choice = step.choice;
    event.ways = static_cast<std::uint16_t>(event.choice + 1);
    events.push_back(event);
  }
  return events;
}

std::string ChannelBlock::statistics() const { return text_in(channel_->statistics); }

std::string ChannelBlock::reason() const { return text_in(channel_->reason); }

}  // namespace mazur
