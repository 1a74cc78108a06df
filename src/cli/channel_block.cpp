#include "cli/channel_block.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "cli/usage.h"

namespace mazur {

ChannelBlock::ChannelBlock(const Request& request, const std::string& replay) {
  if (replay.size() > Channel::kLogSize / 2)
    throw UsageError("the schedule is too long to be run again.");
  descriptor_ = memfd_create("mazur-channel", 0);
  void* memory = MAP_FAILED;
  if (descriptor_ >= 0 && ftruncate(descriptor_, kChannelBytes) == 0)
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

Tally ChannelBlock::tally() const {
  return {.complete = channel_->complete,
          .blocked = channel_->blocked,
          .assume_blocked = channel_->assume_blocked,
          .bounded = channel_->bounded,
          .events = channel_->events,
          .failures = channel_->failures,
          .depth = channel_->depth};
}

std::vector<Record> ChannelBlock::records() const {
  std::vector<Record> records;
  const char* log = reinterpret_cast<const char*>(channel_) + kChannelHeader;
  const std::uint64_t size = std::min<std::uint64_t>(channel_->log_size, Channel::kLogSize);
  std::uint64_t at = 0;
  std::size_t number = 0;
  while (size - at >= sizeof(std::uint64_t)) {
    std::uint64_t length = 0;
    std::memcpy(&length, log + at, sizeof length);
    at += sizeof length;
    if (length > size - at) break;
    if (auto record = decode_record({log + at, length})) {
      if (number < Channel::kMaxRecords && channel_->counts[number] > 0)
        record->count = channel_->counts[number];
      records.push_back(std::move(*record));
    }
    ++number;
    at += length;
  }
  return records;
}

std::vector<Event> ChannelBlock::schedule() const {
  std::vector<Event> events;
  const std::uint32_t size =
      std::min<std::uint32_t>(channel_->schedule_size, Channel::kScheduleSize);
  for (std::uint32_t i = 0; i < size; ++i) {
    Event event;
    event.thread = channel_->schedule[i].thread;
    event.choice = channel_->schedule[i].choice;
    event.ways = static_cast<std::uint16_t>(event.choice + 1);
    events.push_back(event);
  }
  return events;
}

std::string ChannelBlock::statistics() const {
  return {channel_->statistics, strnlen(channel_->statistics, sizeof channel_->statistics)};
}

std::string ChannelBlock::reason() const {
  return {channel_->reason, strnlen(channel_->reason, sizeof channel_->reason)};
}

}  // namespace mazur
