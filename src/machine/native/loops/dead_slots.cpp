#include "machine/native/loops/dead_slots.h"

#include <array>
#include <cstring>

namespace mazur::native {
namespace {

constexpr unsigned kRax = 0, kRdx = 2, kRsp = 4, kRbp = 5;

// What an instruction's r/m operand is.
struct Operand {
  enum class Kind : std::uint8_t { kRegister, kFrame, kData, kOther };
  Kind kind = Kind::kOther;
  unsigned number = 0;             // kRegister
  std::int32_t offset = 0;         // kFrame: from rbp. kData: from the next instruction
  unsigned base = 16, index = 16;  // kOther: registers of the address; 16: none
};

class Follower {
 public:
  Follower(const unsigned char* code, bool (*is_quiet)(std::uint64_t))
      : at_(code), is_quiet_(is_quiet) {}

  DeadSlots follow() {
    constexpr int kMost = 64;
    for (int i = 0; i < kMost && step(); ++i) {
    }
    DeadSlots dead;
    for (std::int32_t i = 0; i < kBytes; ++i) {
      if (frame_[static_cast<std::size_t>(i)] != State::kDead) continue;
      const std::int32_t offset = i - kBytes;
      if (!dead.slots.empty() && dead.slots.back().end == offset)
        ++dead.slots.back().end;
      else
        dead.slots.push_back({offset, offset + 1});
    }
    for (unsigned r = 0; r < 16; ++r)
      if (registers_[r] == State::kDead) dead.registers |= 1u << r;
    return dead;
  }

 private:
  static constexpr std::int32_t kBytes = 2048;  // below the frame pointer
  enum class State : std::uint8_t { kUnknown, kDead, kLive };

  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  static void read(State& state) {
    if (state == State::kUnknown) state = State::kLive;
  }
  static void write(State& state) {
    if (state == State::kUnknown) state = State::kDead;
  }
  void read(unsigned number) { read(registers_[number]); }
  // Of at least 32 bits: the rest of the register becomes zero.
  bool write(unsigned number) {
    if (number == kRsp || number == kRbp) return false;
    write(registers_[number]);
    return true;
  }
  // A register of 8 bits.
  void read_byte(unsigned number) { read(rex_ || number < 4 ? number : number - 4); }

  template <typename F>
  bool each_byte(const Operand& operand, unsigned size, F visit) {
    if (operand.kind == Operand::Kind::kData) return true;  // no stack
    if (operand.kind != Operand::Kind::kFrame) return false;
    for (std::int64_t b = operand.offset; b < std::int64_t{operand.offset} + size; ++b)
      if (b >= -kBytes && b < 0) visit(frame_[static_cast<std::size_t>(b + kBytes)]);
    return true;
  }
  // Of `size` bytes. False: it may be anything.
  bool read(const Operand& operand, unsigned size) {
    if (operand.kind != Operand::Kind::kRegister)
      return each_byte(operand, size, [](State& state) { read(state); });
    size == 1 ? read_byte(operand.number) : read(operand.number);
    return true;
  }
  bool write(const Operand& operand, unsigned size) {
    if (operand.kind != Operand::Kind::kRegister)
      return each_byte(operand, size, [](State& state) { write(state); });
    if (size >= 4) return write(operand.number);
    read_byte(operand.number);  // the rest of it stays
    return operand.number != kRsp && operand.number != kRbp;
  }

  // The byte that says what the operands are, with what follows.
  Operand operand(unsigned& reg) {
    const unsigned byte = take<std::uint8_t>();
    const unsigned mod = byte >> 6, rm = byte & 7;
    reg = (byte >> 3 & 7) | r_;
    if (mod == 3) return {Operand::Kind::kRegister, rm | b_};
    if (mod == 0 && rm == 5) return {Operand::Kind::kData, 0, take<std::int32_t>()};
    Operand result;
    if (rm == 4) {
      const unsigned sib = take<std::uint8_t>();
      const unsigned index = (sib >> 3 & 7) | x_;
      if (index != kRsp) result.index = index;
      if ((sib & 7) == 5 && mod == 0)
        result.offset = take<std::int32_t>();
      else
        result.base = (sib & 7) | b_;
    } else {
      result.base = rm | b_;
      if (result.base == kRbp) result.kind = Operand::Kind::kFrame;
    }
    if (mod == 1) result.offset = (take<std::uint8_t>() ^ 0x80) - 0x80;  // it has a sign
    if (mod == 2) result.offset = take<std::int32_t>();
    return result;
  }

  // A call of the function at this address.
  bool call(const unsigned char* target) {
    // Through a table of addresses: endbr64, a prefix without meaning here, jmp *[rip + n].
    if (std::memcmp(target, "\xf3\x0f\x1e\xfa", 4) == 0) target += 4;
    if (*target == 0xf2) ++target;
    if (target[0] != 0xff || target[1] != 0x25) return false;
    std::int32_t distance;
    std::memcpy(&distance, target + 2, sizeof distance);
    return call_through(target + 6 + distance);
  }
  bool call_through(const unsigned char* entry) {
    std::uint64_t function;
    std::memcpy(&function, entry, sizeof function);
    return is_quiet_(function);
  }

  bool step() {
    r_ = x_ = b_ = 0;
    unsigned wide = 4;
    unsigned op = take<std::uint8_t>();
    rex_ = (op & 0xf0) == 0x40;
    if (rex_) {
      wide = (op & 8) != 0 ? 8 : 4;
      r_ = (op & 4) != 0 ? 8 : 0;
      x_ = (op & 2) != 0 ? 8 : 0;
      b_ = (op & 1) != 0 ? 8 : 0;
      op = take<std::uint8_t>();
    }
    unsigned reg = 0;
    switch (op) {
      case 0x89: {  // mov r/m, r
        const Operand to = operand(reg);
        read(reg);
        return write(to, wide);
      }
      case 0x8b:  // mov r, r/m
        return read(operand(reg), wide) && write(reg);
      case 0x88: {  // the same of a byte
        const Operand to = operand(reg);
        read_byte(reg);
        return write(to, 1);
      }
      case 0x8a: {
        const bool known = read(operand(reg), 1);
        read_byte(reg);
        return known && reg != kRsp && reg != kRbp;
      }
      case 0x8d: {  // lea
        const Operand from = operand(reg);
        if (from.base < 16) read(from.base);
        if (from.index < 16) read(from.index);
        return write(reg);
      }
      case 0xc7: {  // mov r/m, number
        const Operand to = operand(reg);
        take<std::int32_t>();
        return (reg & 7) == 0 && write(to, wide);
      }
      case 0xc6: {
        const Operand to = operand(reg);
        take<std::int8_t>();
        return (reg & 7) == 0 && write(to, 1);
      }
      case 0x39:  // cmp, test
      case 0x3b:
      case 0x85: {
        const Operand other = operand(reg);
        read(reg);
        return read(other, wide);
      }
      case 0x38:
      case 0x3a:
      case 0x84: {
        const Operand other = operand(reg);
        read_byte(reg);
        return read(other, 1);
      }
      case 0x81:
      case 0x83: {  // only cmp
        const Operand other = operand(reg);
        op == 0x81 ? void(take<std::int32_t>()) : void(take<std::int8_t>());
        return (reg & 7) == 7 && read(other, wide);
      }
      case 0x63:  // movsxd
        return read(operand(reg), 4) && write(reg);
      case 0x98:  // cdqe
        read(kRax);
        return true;
      case 0x99:  // cdq
        read(kRax);
        return write(kRdx);
      case 0x31:  // xor, of a register with itself
      case 0x33: {
        const Operand other = operand(reg);
        return other.kind == Operand::Kind::kRegister && other.number == reg && write(reg);
      }
      case 0x0f: {
        const unsigned second = take<std::uint8_t>();
        if (second != 0xb6 && second != 0xb7 && second != 0xbe && second != 0xbf) return false;
        return read(operand(reg), second % 2 == 0 ? 1 : 2) && write(reg);  // movzx, movsx
      }
      case 0xe8: {  // call
        const auto distance = take<std::int32_t>();
        return call(at_ + distance);
      }
      case 0xff: {
        const Operand to = operand(reg);
        return (reg & 7) == 2 && to.kind == Operand::Kind::kData && call_through(at_ + to.offset);
      }
      default:
        if ((op & 0xf8) != 0xb8) return false;  // mov r, number
        at_ += wide;
        return write((op & 7) | b_);
    }
  }

  const unsigned char* at_;
  bool (*is_quiet_)(std::uint64_t);
  std::array<State, kBytes> frame_ = {};
  std::array<State, 16> registers_ = {};
  // Of the instruction at hand.
  bool rex_ = false;
  unsigned r_ = 0, x_ = 0, b_ = 0;
};

}  // namespace

DeadSlots dead_slots_at(const unsigned char* code, bool (*is_quiet)(std::uint64_t function)) {
  return Follower(code, is_quiet).follow();
}

}  // namespace mazur::native
