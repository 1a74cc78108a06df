// A call of a C library function by the program's own code, and the memory that the function reads
// and writes on its behalf.
//
// The library is not instrumented, so the functions that touch the caller's memory are defined here
// in its place: they tell what is touched and let the real function do it. Calls from libraries and
// from the runtime are passed on, and nothing is told.
//
// With --races=report what is told are plain accesses. With --races=explore, those to memory that
// threads share are events, as if the function first read all that it reads, at once, and then
// wrote one range after the other: it does its work when it has read, and what it wrote is put into
// place when that is to happen. (Reads of several ranges, and updates, are one atomic block.)
//
//   LibraryCall call("strcpy", MAZUR_CALLER);
//   call.touches([&] {  // may run several times: others may have run meanwhile
//     const std::size_t size = string_size(from);
//     call.reads(from, size);
//     call.writes(to, size);
//   });
//   return real_strcpy(to, from);            // before `call` goes out of scope
#pragma once

#include <cstddef>
#include <cstdint>

#include "machine/native/engine/runtime.h"
#include "machine/native/races/plain.h"
#include "machine/native/races/race_report.h"

// Defines a function of the C library for the program, under another name here: the compiler and
// the headers have their own ideas about the real ones.
#define MAZUR_LIBRARY(type, name, parameters)            \
  MAZUR_EXPORT type mazur_##name parameters asm(#name);  \
  [[maybe_unused]] static type(*real_##name) parameters; \
  type mazur_##name parameters
// The library's own.
#define MAZUR_REAL(name) real(real_##name, #name)

// The linker knows where the runtime's own code begins and ends.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

namespace mazur::native {

// Whether the program or a library calls, and not the runtime itself.
inline bool by_others(const void* pc) {
  return runtime.running && static_cast<std::size_t>(static_cast<const char*>(pc) - __ehdr_start) >=
                                static_cast<std::size_t>(etext - __ehdr_start);
}
// A function that they called writes to an address, or changes something of its own.
inline void note_library_write(const void* address, const void* pc) {
  if (by_others(pc)) note_write(address);
}
inline void note_library_change(const void* pc) {
  if (by_others(pc)) note_change();
}

// Whether the call is to be told about.
inline bool by_program(const void* pc) {
  return runtime.running && (race_state.on || runtime.explore_plain) &&
         is_program_code(reinterpret_cast<std::uint64_t>(pc));
}

// A plain access of the program that this function does for it; no event.
inline void tell_inside(const char* function, const void* address, std::size_t size, bool writes,
                        const void* pc) {
  synchronised();  // what the step was before is not this function's
  inside_function = function;
  plain(address, size, writes, pc);
  inside_function = nullptr;
}

class LibraryCall {
 public:
  LibraryCall(const char* function, const void* pc)
      : function_(function), pc_(pc), told_(by_program(pc)) {}
  ~LibraryCall() {
    if (__builtin_expect(opened_ || deferred_ != nullptr, 0)) finish();
  }
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

  // Whether anybody wants to know.
  explicit operator bool() const { return told_; }

  // Tells what the call touches, before it does. `declare` uses the functions below and
  // nothing else that has an effect.
  template <typename F>
  void touches(F&& declare) {
    if (!told_) return;
    if (__builtin_expect(may_be_event(), 0)) {
      do {
        look();
        declare();
      } while (!settled());
    }
    declare();
  }

  void reads(const void* address, std::size_t size) { access(address, size, false); }
  void writes(void* address, std::size_t size) { access(address, size, true); }
  // The function keeps its state there, or it stands for that state: reads and writes it at once.
  void updates(void* address, std::size_t size);
  // Up to `most` bytes are written; wrote() will say how many. `keep`: all of them can be read.
  void may_write(void* address, std::size_t most, bool keep = true);

  // Memory that the function has just allocated, or the part of a may_write() that was written.
  // After the function has done it.
  void wrote(void* address, std::size_t size);

 private:
  struct Range {
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    bool writes = false;
    bool covers(const Range& other) const {
      return begin <= other.begin && other.begin + other.size <= begin + size &&
             writes == other.writes;
    }
  };
  struct Deferred;

  // With --races=explore, the ranges are looked at first: are there shared ones among them?
  bool may_be_event() const;
  void look() {
    looking_ = true;
    shared_reads_ = shared_writes_ = 0;
    at_once_ = true;
    atomic_ = false;
  }
  // Whether no further event is needed before the function runs.
  bool settled();
  void access(const void* address, std::size_t size, bool writes);
  void tell(const void* address, std::size_t size, bool writes);
  void defer(void* address, std::size_t size, bool known);
  void finish();

  const char* const function_;
  const void* const pc_;
  const bool told_;
  bool looking_ = false;
  bool opened_ = false;  // an atomic block, of reads
  bool defers_ = false;  // shared writes come later
  bool at_once_ = true;  // all that is written is known before
  bool atomic_ = false;  // something is updated
  unsigned shared_reads_ = 0, shared_writes_ = 0;
  Range shared_, announced_;
  Deferred* deferred_ = nullptr;
};

// With the zero at the end. A null pointer has no bytes.
std::size_t string_size(const char* text);
// At most so many bytes are looked at.
std::size_t string_size(const char* text, std::size_t most);

// Tells one access of a primitive, after what the step synchronises with: a result written through
// a pointer, a time that is read.
inline void tell_access(const void* address, std::size_t size, bool writes, const void* pc) {
  if (address != nullptr && runtime.running && (race_state.on || runtime.explore_plain))
    plain(address, size, writes, pc);
}

}  // namespace mazur::native
