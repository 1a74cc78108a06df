#include "explore/unfolding/structure/clocks.h"

#include <algorithm>

namespace mazur::unfolding {
namespace {

template <typename Cell>
void store(std::uint8_t* cell, std::uint32_t value) {
  const auto narrow = static_cast<Cell>(value);
  std::memcpy(cell, &narrow, sizeof narrow);
}

// Calls f<Cell>() with the type of that many bytes.
template <typename F>
void with_cell(std::size_t width, F f) {
  if (width == 1)
    f.template operator()<std::uint8_t>();
  else if (width == 2)
    f.template operator()<std::uint16_t>();
  else
    f.template operator()<std::uint32_t>();
}

std::size_t width_of(std::uint32_t value) {
  if (value <= 0xff) return 1;
  return value <= 0xffff ? 2 : 4;
}

}  // namespace

void Clocks::resize(std::size_t events) {
  events_ = events;
  bytes_.resize(events * threads_ * width_);
}

void Clocks::set(std::size_t event, std::size_t thread, std::uint32_t value) {
  if (thread >= threads_ || width_of(value) > width_) {
    const std::size_t wider = std::max<std::size_t>({4, threads_ * 2, thread + 1});
    reshape(thread < threads_ ? threads_ : wider, std::max(width_, width_of(value)));
  }
  std::uint8_t* cell = bytes_.data() + (event * threads_ + thread) * width_;
  with_cell(width_, [&]<typename Cell>() { store<Cell>(cell, value); });
}

void Clocks::reshape(std::size_t threads, std::size_t width) {
  Clocks other;
  other.threads_ = threads;
  other.width_ = width;
  other.resize(events_);
  for (std::size_t e = 0; e < events_; ++e)
    for (std::size_t t = 0; t < threads_; ++t) other.set(e, t, at(e, t));
  *this = std::move(other);
}

void Clocks::join(std::size_t event, std::size_t other) {
  const std::size_t row = threads_ * width_;
  std::uint8_t* cells = bytes_.data() + event * row;
  const std::uint8_t* others = bytes_.data() + other * row;
  with_cell(width_, [&]<typename Cell>() {
    for (std::size_t i = 0; i < row; i += sizeof(Cell))
      store<Cell>(cells + i, std::max(load<Cell>(cells + i), load<Cell>(others + i)));
  });
}

void Clocks::copy(std::size_t from, std::size_t to) {
  const std::size_t row = threads_ * width_;
  if (from != to) std::memcpy(bytes_.data() + to * row, bytes_.data() + from * row, row);
}

}  // namespace mazur::unfolding
