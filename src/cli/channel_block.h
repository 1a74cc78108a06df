// The shared block of check/channel.h, from mazur's side.
#pragma once

#include <string>
#include <vector>

#include "check/channel.h"
#include "check/record.h"

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
  Channel* operator->() const { return channel_; }
  int descriptor() const { return descriptor_; }  // stays open across exec

  Tally tally() const;
  // What the runtime has logged. Believes none of its lengths.
  std::vector<Record> records() const;
  // The execution that was under way: for a program that died.
  std::vector<Event> schedule() const;
  std::string reason() const;
  std::string statistics() const;

 private:
  int descriptor_ = -1;
  Channel* channel_ = nullptr;
};

}  // namespace mazur
