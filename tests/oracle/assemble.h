// Instructions by name, to write model programs down in C++.
#pragma once

#include "machine/model/program.h"

namespace mazur::model {

struct Reg {
  std::int8_t number;
};
inline constexpr Reg r0{0}, r1{1}, r2{2}, r3{3}, r4{4}, r5{5};

struct Operand : Value {
  Operand(int constant) { this->constant = constant; }     // NOLINT: converts on purpose
  Operand(Reg r, int plus = 0) : Value{plus, r.number} {}  // NOLINT
};

// The object with number `base`, or that many places on from where the register points to.
struct At : Place {
  At(int base) : Place{static_cast<std::uint16_t>(base)} {}  // NOLINT: converts on purpose
  At(int base, Reg r) : Place{static_cast<std::uint16_t>(base), r.number} {}
};

inline std::uint8_t index(Reg r) { return static_cast<std::uint8_t>(r.number); }
inline std::uint16_t index(int n) { return static_cast<std::uint16_t>(n); }

inline Instruction load(Reg r, At x) { return {.code = Code::kLoad, .reg = index(r), .place = x}; }
inline Instruction store(At x, Operand v) { return {.code = Code::kStore, .place = x, .value = v}; }
inline Instruction fetch_add(Reg r, At x, Operand v) {
  return {.code = Code::kFetchAdd, .reg = index(r), .place = x, .value = v};
}
inline Instruction cas(Reg r, At x, Operand expected, Operand desired) {
  return {.code = Code::kCas, .reg = index(r), .place = x, .value = expected, .value2 = desired};
}
inline Instruction lock(At m) { return {.code = Code::kLock, .place = m}; }
inline Instruction unlock(At m) { return {.code = Code::kUnlock, .place = m}; }
inline Instruction barrier(At b) { return {.code = Code::kBarrier, .place = b}; }
inline Instruction arrive(At b) { return {.code = Code::kArrive, .place = b}; }
inline Instruction send(At mailbox, Operand v, int alternative = 0) {
  return {.code = Code::kSend, .place = mailbox, .value = v, .value2 = {.constant = alternative}};
}
// `accepts`: alternatives as a bit set.
inline Instruction receive(Reg r, int accepts = -1) {
  return {.code = Code::kReceive, .reg = index(r), .value2 = {.constant = accepts}};
}
inline Instruction receive_after(Reg r, int accepts = -1) {
  return {.code = Code::kReceiveAfter, .reg = index(r), .value2 = {.constant = accepts}};
}
inline Instruction count_message() { return {.code = Code::kCount, .value2 = {.constant = -1}}; }
inline Instruction insert(At k, Operand v) {
  return {.code = Code::kInsert, .place = k, .value = v};
}
inline Instruction insert_new(Reg r, At k, Operand v) {
  return {.code = Code::kInsertNew, .reg = index(r), .place = k, .value = v};
}
inline Instruction lookup(Reg r, At k) {
  return {.code = Code::kLookup, .reg = index(r), .place = k};
}
inline Instruction yield() { return {.code = Code::kYield}; }
inline Instruction spawn(int thread) { return {.code = Code::kSpawn, .target = index(thread)}; }
inline Instruction join(int thread) { return {.code = Code::kJoin, .target = index(thread)}; }
inline Instruction set(Reg r, Operand v) {
  return {.code = Code::kSet, .reg = index(r), .value = v};
}
inline Instruction add(Reg r, Operand v) {
  return {.code = Code::kAdd, .reg = index(r), .value = v};
}
inline Instruction mul(Reg r, Operand v) {
  return {.code = Code::kMul, .reg = index(r), .value = v};
}
inline Instruction mod(Reg r, Operand v) {
  return {.code = Code::kMod, .reg = index(r), .value = v};
}
inline Instruction go_if(Reg r, Comparison c, int constant, std::size_t target) {
  return {.code = Code::kIf,
          .reg = index(r),
          .comparison = c,
          .value = {.constant = constant},
          .target = static_cast<std::uint16_t>(target)};
}
inline Instruction go_if_equal(Reg r, int constant, std::size_t target) {
  return go_if(r, Comparison::kEqual, constant, target);
}
inline Instruction go_if_other(Reg r, int constant, std::size_t target) {
  return go_if(r, Comparison::kNotEqual, constant, target);
}
// The last register is never written: it is 0.
inline Instruction go(std::size_t target) { return go_if_equal({kRegisters - 1}, 0, target); }

inline Program with(int variables, int mutexes = 0) {
  Program p;
  p.of(ObjectClass::kVariable).resize(static_cast<std::size_t>(variables));
  p.of(ObjectClass::kMutex).resize(static_cast<std::size_t>(mutexes));
  return p;
}
inline void thread(Program& p, std::vector<Instruction> code, bool spawned = false) {
  p.threads.push_back({.spawned = spawned, .code = std::move(code)});
}

}  // namespace mazur::model
