#include "modules/instructions.h"

#include <Zydis/Zydis.h>

#include <algorithm>

namespace mazur {
namespace {

enum class Kind { kOther, kAtomic, kFence, kSystemCall, kPause };

Kind kind_of(const ZydisDecodedInstruction& instruction) {
  if ((instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0) return Kind::kAtomic;
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_XCHG:  // with memory it locks without a prefix; XCHG with rAX has no ModRM
      return (instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0 &&
                     instruction.raw.modrm.mod != 3
                 ? Kind::kAtomic
                 : Kind::kOther;
    case ZYDIS_MNEMONIC_XBEGIN:
      return Kind::kAtomic;
    case ZYDIS_MNEMONIC_MFENCE:
      return Kind::kFence;
    case ZYDIS_MNEMONIC_SYSCALL:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_INT:
      return Kind::kSystemCall;
    case ZYDIS_MNEMONIC_PAUSE:
    case ZYDIS_MNEMONIC_TPAUSE:
    case ZYDIS_MNEMONIC_UMWAIT:
      return Kind::kPause;
    default:
      return Kind::kOther;
  }
}

class Decoder {
 public:
  Decoder() { ZydisDecoderInit(&decoder_, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64); }

  // The length of the first instruction, or 0.
  std::size_t decode(std::span<const char> bytes, Kind& kind) const {
    ZydisDecodedInstruction instruction;
    if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes.data(), bytes.size(),
                                                  &instruction)))
      return 0;
    kind = kind_of(instruction);
    return instruction.length;
  }

 private:
  ZydisDecoder decoder_;
};

}  // namespace

Instructions find_instructions(std::span<const ElfFile::Code> code,
                               std::span<const std::uint64_t> function_starts) {
  const Decoder decoder;
  Instructions found;
  for (const auto& [address, bytes] : code) {
    auto start = std::upper_bound(function_starts.begin(), function_starts.end(), address);
    for (std::size_t i = 0; i < bytes.size();) {
      while (start != function_starts.end() && *start <= address + i) ++start;
      const std::size_t end =
          start == function_starts.end()
              ? bytes.size()
              : static_cast<std::size_t>(std::min<std::uint64_t>(*start - address, bytes.size()));
      Kind kind = Kind::kOther;
      const std::size_t length = decoder.decode(bytes.subspan(i, end - i), kind);
      if (length == 0) ++found.undecoded;
      if (kind == Kind::kAtomic || kind == Kind::kFence) ++found.atomic;
      if (kind == Kind::kSystemCall) ++found.system_calls;
      if (kind == Kind::kPause) ++found.pauses;
      if ((kind == Kind::kAtomic || kind == Kind::kSystemCall) &&
          found.places.size() < Instructions::kMostPlaces)
        found.places.push_back(address + i);
      i += std::max<std::size_t>(length, 1);
    }
  }
  return found;
}

bool is_place(std::span<const ElfFile::Code> code, std::uint64_t address) {
  for (const ElfFile::Code& piece : code) {
    if (address < piece.address || address - piece.address >= piece.bytes.size()) continue;
    Kind kind = Kind::kOther;
    return Decoder().decode(piece.bytes.subspan(address - piece.address), kind) != 0 &&
           (kind == Kind::kAtomic || kind == Kind::kSystemCall);
  }
  return false;
}

}  // namespace mazur
