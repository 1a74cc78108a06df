// The state every execution starts from: all writable memory of the program and its libraries,
// main's thread-local storage and what the heap held.
//
// Sticky pages: after take_snapshot() that memory is read-only. The first write to a page faults
// once, makes the page writable and puts it on the list of pages that restore_snapshot() copies
// back, for good. After a few executions no faults remain and a restart costs a copy of the pages
// the program really writes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazur::native {

// Takes the snapshot (again). `track`: sticky pages; otherwise nothing is protected and restoring
// copies everything.
void take_snapshot(bool track);
void restore_snapshot();

// A write fault at this address: true if it was the first write to a snapshot page, and may be
// repeated.
bool first_write(void* address);

// Makes the pages of a buffer writable before the kernel writes to it (a system call does not
// fault, it fails).
void touch_for_kernel(void* buffer, std::size_t size);

// All of that memory, piece by piece.
struct SnapshotRegion {
  const void* begin;
  const void* end;
};
std::size_t snapshot_regions();
SnapshotRegion snapshot_region(std::size_t n);

// Mixes memory into a hash: a piece of it, and what has been written since the snapshot.
void mix_memory(std::uint64_t& hash, const char* begin, const char* end);
void mix_snapshot(std::uint64_t& hash);

// For the cost table: how many bytes a restart copies, and how many page faults there were.
struct SnapshotCost {
  std::size_t total_bytes, copied_bytes, chunks, faults;
};
SnapshotCost snapshot_cost();

}  // namespace mazur::native
