#include "machine/native/engine/fiber.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "machine/native/memory/loaded_objects.h"
#include "machine/native/memory/private_heap.h"
#include "machine/native/memory/raw.h"
#include "machine/native/memory/stack.h"

namespace mazur::native {

Fiber* fibers[kMaxThreads];
ThreadId fiber_count = 0;
bool threads_are_numbered_anew = false;

namespace {

// A fixed place for thread-local objects, as for stacks.
constexpr std::uintptr_t kBlocks = 0x620000000000;
constexpr std::uintptr_t kBlockStride = 1 << 20;

// Thread-local storage, as glibc lays it out on x86-64: the blocks of all modules below the thread
// control block.
struct ThreadLocalLayout {
  std::size_t size = 0;           // static TLS with the control block
  std::size_t control_block = 0;  // sizeof(struct pthread)
  std::size_t used = 0;           // bytes below the control block that modules use
  char* image = nullptr;          // what a new thread starts with
  void* (*allocate)(void*) = nullptr;
};
ThreadLocalLayout layout;

ThreadId next_id = 1;

void* current_fs() {
  void* fs;
  asm("mov %%fs:0, %0" : "=r"(fs));
  return fs;
}

void set_fs(void* fs) { asm volatile("wrfsbase %0" ::"r"(fs) : "memory"); }

// A thread control block like main's, with its own thread-local storage.
void* make_block(std::uintptr_t place) {
  char* memory = static_cast<char*>(map_pages(reinterpret_cast<void*>(place), kBlockStride));
  char* block = reinterpret_cast<char*>(
      (reinterpret_cast<std::uintptr_t>(memory) + kBlockStride - layout.control_block - 4096) &
      ~std::uintptr_t{63});
  PrivateHeapScope scope;
  if (layout.allocate(block) != block) die("thread-local storage could not be allocated");
  // The header of struct pthread: tcb, dtv, self. The rest (stack and pointer guard) is main's.
  void** header = reinterpret_cast<void**>(block);
  void* dtv = header[1];
  std::memcpy(block, runtime.main_fs, layout.control_block);
  header[0] = block;
  header[1] = dtv;
  header[2] = block;
  return block;
}

// How far thread-local variables reach below the thread's pointer to them.
std::size_t reach_of_thread_locals() {
  std::size_t widest = 0;
  visit_loaded_objects([&widest](const LoadedObject& object) {
    const std::uintptr_t begin = object.thread_locals().begin;
    const std::size_t distance = reinterpret_cast<std::uintptr_t>(current_fs()) - begin;
    if (begin != 0 && distance < kBlockStride) widest = std::max(widest, distance);
    return false;
  });
  return widest;
}

}  // namespace

Fiber& make_fiber(ThreadId id) {
  PrivateHeapScope scope;
  Fiber* fiber = new Fiber;
  fiber->id = id;
  set_up_stack(*fiber);
  fiber->fs = id == 0 ? runtime.main_fs : make_block(kBlocks + id * kBlockStride);
  fibers[id] = fiber;
  if (id >= fiber_count) fiber_count = static_cast<ThreadId>(id + 1);
  return *fiber;
}

Fiber* fiber_by_fs(const void* fs) {
  const std::uintptr_t place = (reinterpret_cast<std::uintptr_t>(fs) - kBlocks) / kBlockStride;
  const std::uintptr_t id = fs == runtime.main_fs ? 0 : place;
  if (id >= fiber_count || fibers[id] == nullptr || fibers[id]->fs != fs) return nullptr;
  return find_fiber(static_cast<ThreadId>(id));
}

bool is_alone() {
  if (runtime.current == nullptr || runtime.current->id != 0) return !runtime.running;
  for (ThreadId id = 1; id < known_threads(); ++id)
    if (const Fiber* fiber = find_fiber(id); fiber != nullptr && !fiber->joined) return false;
  return true;
}

ThreadId child_id(Fiber& parent, std::uint32_t n) {
  if (n < parent.child_ids.size()) return parent.child_ids[n];
  if (next_id >= kMaxThreads) return kNoThread;
  const ThreadId id = next_id++;
  Fiber& child = fiber_of(id);
  child.parent = parent.id;
  PrivateHeapScope scope;
  parent.child_ids.push_back(id);
  return id;
}

void forget_numbers() {
  for (ThreadId id = 0; id < fiber_count; ++id) fiber_of(id).child_ids.clear();
  next_id = 1;
}

void number_threads_as(std::span<const Event> schedule) {
  const PrivateHeapScope scope;
  forget_numbers();
  std::vector<bool> given(kMaxThreads);
  for (const Event& event : schedule) {
    const ObjectId child = event.label.object;
    if (event.label.kind != OpKind::kCreate) continue;
    if (child == 0 || child >= kMaxThreads || event.thread >= kMaxThreads || given[child]) break;
    given[child] = true;
    const auto id = static_cast<ThreadId>(child);
    fiber_of(id).parent = event.thread;
    fiber_of(event.thread).child_ids.push_back(id);
    next_id = std::max(next_id, static_cast<ThreadId>(id + 1));
  }
}

LastingNumbers::LastingNumbers() : before_(threads_are_numbered_anew) {
  if (before_) forget_numbers();
  threads_are_numbered_anew = false;
}

std::vector<ThreadId> thread_parents() {
  std::vector<ThreadId> parents;
  if (threads_are_numbered_anew) return parents;
  for (ThreadId id = 1; id < fiber_count; ++id) parents.push_back(fiber_of(id).parent);
  return parents;
}

bool number_threads(std::span<const ThreadId> parents) {
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const auto id = static_cast<ThreadId>(i + 1);
    if (parents[i] >= id || id >= kMaxThreads) return false;
    Fiber& parent = fiber_of(parents[i]);
    if (id >= fiber_count)
      child_id(parent, static_cast<std::uint32_t>(parent.child_ids.size()));
    else if (fiber_of(id).parent != parents[i])
      return false;
  }
  return true;
}

void prepare(Fiber& fiber, void (*entry)()) {
  if (fiber.id != 0) {
    char* block = static_cast<char*>(fiber.fs);
    std::memcpy(block - layout.used, layout.image, layout.used);
  }
  clear_stack(fiber);
  auto* top = reinterpret_cast<std::uint64_t*>(first_frame(fiber));
  *--top = 0;  // alignment: the entry function is called with the stack a multiple of 16
  *--top = 0;
  *--top = reinterpret_cast<std::uint64_t>(&mazur_fiber_start);
  *--top = 0;                                       // rbp
  *--top = 0;                                       // rbx
  *--top = reinterpret_cast<std::uint64_t>(entry);  // r12
  *--top = 0;                                       // r13
  *--top = 0;                                       // r14
  *--top = 0;                                       // r15
  *--top = 0x0000037f00001f80;                      // fcw, mxcsr: the defaults
  fiber.sp = top;
}

// Whose thread-local storage is in use.
static void* storage = nullptr;

static void use_storage(void* fs) {
  if (storage == fs) return;
  storage = fs;
  set_fs(fs);
}

void enter(Fiber& fiber) {
  runtime.current = &fiber;
  runtime.running = true;
  runtime.stack = reinterpret_cast<std::uintptr_t>(fiber.stack);
  use_storage(fiber.fs);
  mazur_enter(&runtime.scheduler_sp, fiber.sp);
  runtime.running = false;
  runtime.current = nullptr;
}

void leave() { mazur_leave(&runtime.current->sp, runtime.scheduler_sp); }

void abandon() { mazur_jump(runtime.scheduler_sp); }

OwnStorage::OwnStorage() : before_(storage) { use_storage(runtime.scheduler_fs); }
OwnStorage::~OwnStorage() { use_storage(before_); }

bool in_guard(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at < kStacks || at >= kStacks + fiber_count * kStackStride) return false;
  return (at - kStacks) % kStackStride < kStackStride - kStackSize;
}

ThreadLocalRange thread_local_range(const Fiber& fiber) {
  const char* block = static_cast<const char*>(fiber.fs);
  return {block - layout.used, block + layout.control_block};
}

void set_up_thread_local_storage() {
  PrivateHeapScope scope;
  const auto info = reinterpret_cast<void (*)(std::size_t*, std::size_t*)>(
      dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info"));
  layout.allocate = reinterpret_cast<void* (*)(void*)>(dlsym(RTLD_DEFAULT, "_dl_allocate_tls"));
  const auto* control_block =
      static_cast<const std::uint32_t*>(dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread"));
  const auto ctype_init = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "__ctype_init"));
  if (info == nullptr || layout.allocate == nullptr || control_block == nullptr)
    die("this C library is not glibc 2.34 or newer");
  std::size_t alignment = 0;
  info(&layout.size, &alignment);
  layout.control_block = *control_block;
  runtime.main_fs = current_fs();
  layout.used = reach_of_thread_locals();
  if (layout.used + layout.control_block + 8192 > kBlockStride)
    die("the program has more than 1 MB of thread-local storage");
  // The scheduler's own block, made like a thread's; before its first use it is also the pristine
  // image.
  char* block = static_cast<char*>(make_block(kBlocks + (kMaxThreads + 1) * kBlockStride));
  set_fs(block);
  if (ctype_init != nullptr) ctype_init();
  set_fs(runtime.main_fs);
  layout.image = static_cast<char*>(private_allocate(layout.used + 64, 64));
  std::memcpy(layout.image, block - layout.used, layout.used);
  runtime.scheduler_fs = block;
}

}  // namespace mazur::native
