// A vector clock for each event of U, in as few bytes as the largest number needs: there can be
// millions of events, and their clocks are the largest part of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace mazur::unfolding {

class Clocks {
 public:
  // Of an event, for a thread. 0 if nothing else has been said.
  std::uint32_t at(std::size_t event, std::size_t thread) const {
    if (thread >= threads_) return 0;
    const std::uint8_t* cell = bytes_.data() + (event * threads_ + thread) * width_;
    if (width_ == 1) return *cell;
    return width_ == 2 ? load<std::uint16_t>(cell) : load<std::uint32_t>(cell);
  }
  void set(std::size_t event, std::size_t thread, std::uint32_t value);

  // How many events there are. Those added are 0.
  void resize(std::size_t events);
  // The larger one, for every thread.
  void join(std::size_t event, std::size_t other);
  void copy(std::size_t from, std::size_t to);

 private:
  template <typename Cell>
  static std::uint32_t load(const std::uint8_t* cell) {
    Cell value;
    std::memcpy(&value, cell, sizeof value);
    return value;
  }
  void reshape(std::size_t threads, std::size_t width);

  std::size_t events_ = 0;
  std::size_t threads_ = 0;
  std::size_t width_ = 1;  // bytes: 1, 2 or 4
  std::vector<std::uint8_t> bytes_;
};

}  // namespace mazur::unfolding
