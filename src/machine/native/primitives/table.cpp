// Tables of include/mazur/table.h.
//
// Enabled:    always.
// Does:       looks up, replaces, adds or takes out the entry of one key; the program does it,
//             hidden, in the same event.
// Depends on: operations on the same key of the table, if one of the two changes its entry; an
//             insert_new of a key that is there only looks.
// Reversible: always.
//
// A key is a location outside of the address space, named by the hashes of the table's address and
// of the key: the same in every execution. Keys whose names are equal by chance depend on each
// other, which is safe.
#include <mazur/message_hooks.h>

#include "base/hash.h"
#include "machine/native/engine/atomic_block.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/loops/waiting_loop.h"
#include "machine/native/primitives/primitive.h"

extern "C" void mazur_runtime_name_object(const void* object, const char* name);

namespace mazur::native {
namespace {

std::uint32_t operations[kMaxThreads];  // so far
std::uint32_t early_operations = 0;     // before main

const PerExecution reset_tables([] {
  for (ThreadId id = 0; id < known_threads(); ++id) operations[id] = 0;
});

// Trace files contain these names, so this must not change.
ObjectId location_of(const void* table, std::uint64_t hash) {
  std::uint64_t mixed = (object_of(table) ^ spread(hash)) * 0xff51afd7ed558ccd;
  mixed = (mixed ^ mixed >> 32) * 0xc4ceb9fe1a85ec53;
  return table_key(mixed >> 7);
}

OpKind kind_of(mazur_table_operation operation) {
  switch (operation) {
    case MAZUR_TABLE_LOOKUP:
      return OpKind::kLoad;
    case MAZUR_TABLE_INSERT:
      return OpKind::kStore;
    case MAZUR_TABLE_INSERT_NEW:
      return OpKind::kCas;
    case MAZUR_TABLE_TAKE:
      return OpKind::kRmw;
  }
  return OpKind::kRmw;
}

}  // namespace
}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT unsigned long long mazur_runtime_table_begin(const void* table, const void* key,
                                                          unsigned long long hash,
                                                          mazur_table_operation operation,
                                                          mazur_show_key* show) {
  if (!in_execution()) return std::uint64_t{++early_operations} << 1;
  if (runtime.in_block) unsupported("a table in an atomic block", MAZUR_CALLER);
  const ObjectId location = location_of(table, hash);
  mazur_entry.sp = 0;  // not a place where a loop is recognised
  visible({.kind = kind_of(operation), .size = 8, .object = location}, MAZUR_CALLER);
  begin_hidden();
  if (__builtin_expect(runtime.capture_stacks, 0)) {
    char name[64];
    show(table, key, name, sizeof name);
    mazur_runtime_name_object(reinterpret_cast<const void*>(location), name);
  }
  const ThreadId me = current_thread();
  return (std::uint64_t{me} + 1) << 33 | std::uint64_t{++operations[me]} << 1;
}

MAZUR_EXPORT void mazur_runtime_table_end(unsigned long long before, unsigned long long after) {
  if (!in_execution()) return;
  Label& label = runtime.event.label;
  label.before = before;
  label.written = after;
  if (label.kind != OpKind::kStore) label.read = before;
  if (label.kind == OpKind::kLoad) label.written = label.before = 0;
  if (label.kind == OpKind::kCas) label.success = before == 0;
  end_hidden();
}
