// The shared block of protocol/channel.h, from mazur's side.
//
// The program under test has the block in its memory and can write anything there, at any time: by
// mistake, or because it wants to. So mazur copies what it reads once, looks at the copy, and
// believes no size, no kind and no number in it. The block cannot be made smaller (it is sealed),
// which would end mazur with SIGBUS.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/channel.h"
#include "protocol/record.h"
#include "protocol/slice.h"

namespace mazur {

class ChannelBlock {
 public:
  // Makes the block. `replay`: an encoded record that the program is to run, or "". Throws
  // UsageError.
  ChannelBlock(const Request& request, const std::string& replay);
  ~ChannelBlock();
  ChannelBlock(const ChannelBlock&) = delete;
  ChannelBlock& operator=(const ChannelBlock&) = delete;

  Channel& operator*() const { return *channel_; }
  // For writing; what is read has to come through the functions below.
  Channel* operator->() const { return channel_; }
  int descriptor() const { return descriptor_; }  // is closed by exec

  // With Request::note_orders, before the program starts. At most Channel::kMaxOrderSites of each.
  void use_orders(std::span<const UsedOrder> orders, std::span<const std::uint64_t> deep_calls);

  // With Request::worker (Channel::work). Whether it is mazur's turn; waits for that, but only a
  // moment.
  bool wants_work() const;
  // Gives the worker its turn. Nothing: there is no more work. False: it does not fit.
  bool offer(const std::optional<Offer>& offer) const;
  // What the worker says about the last offer; nothing if that makes no sense.
  std::optional<SliceEnd> slice_end() const;

  // Numbers that are too large for any exploration are cut. What is not a number is read as 0.
  Tally tally() const;
  Tally portfolio() const;  // complete: all of its executions
  double seconds() const;
  Explored explored() const;  // what is told of it lies between 0 and 1

  Phase phase() const;                     // kExploring if the number names no phase
  std::optional<Verdict> verdict() const;  // nothing if the number names no verdict
  Cuts cuts() const;
  bool has_threads() const { return channel_->threads_seen != 0; }
  bool has_unexplored_wakeups() const { return channel_->no_spurious_wakeup != 0; }
  bool has_sequential_objects() const { return channel_->sequential_objects != 0; }
  bool has_met_loop_line(std::uint32_t i) const { return (channel_->loop_lines_met >> i & 1) != 0; }
  bool minimising() const { return channel_->minimising != 0; }

  // What the runtime has logged, at most Channel::kMaxRecords.
  std::vector<Record> records() const;
  // Which plain accesses were events; nothing: all of them.
  std::optional<std::vector<std::uint64_t>> granules() const;
  // The execution that was under way: for a program that died.
  std::vector<Event> schedule() const;
  // With Request::note_orders: the sites that were met; nothing if there are too many. Kinds and
  // orders are known ones.
  std::optional<std::vector<OrderSite>> order_sites() const;
  std::string reason() const;
  std::string statistics() const;

 private:
  int descriptor_ = -1;
  Channel* channel_ = nullptr;
};

}  // namespace mazur
