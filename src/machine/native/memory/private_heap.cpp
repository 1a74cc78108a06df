#include "machine/native/memory/private_heap.h"

#include <bit>
#include <cstdint>
#include <new>

#include "machine/native/memory/raw.h"

namespace mazur::native {
namespace {

// Size classes with four steps per power of two and one free list each. Memory is never given back:
// the explorer frees what it will soon need again.
constexpr std::uintptr_t kPrivateHeap = 0x660000000000;
constexpr std::size_t kReserved = std::size_t{1} << 40;

struct Header {
  std::uint32_t size_class;
  std::uint32_t offset;  // from the start of the block to the user's bytes
  std::uint64_t padding;
};
static_assert(sizeof(Header) == 16);

struct FreeBlock {
  FreeBlock* next;
};

constexpr unsigned kClasses = 200;
FreeBlock* free_lists[kClasses];
char* next_fresh = nullptr;

unsigned class_of(std::size_t size) {
  if (size < 64) size = 64;
  const auto width = static_cast<unsigned>(std::bit_width(size - 1));  // size <= 2^width
  const auto quarter = static_cast<unsigned>((size - 1) >> (width - 3)) & 3;
  return (width - 5) * 4 + quarter;
}

std::size_t class_size(unsigned size_class) {
  const unsigned width = size_class / 4 + 5;
  return (std::size_t{1} << (width - 1)) + (std::size_t{size_class % 4 + 1} << (width - 3));
}

}  // namespace

int PrivateHeapScope::depth_ = 0;

void* private_allocate(std::size_t size, std::size_t alignment) {
  if (alignment < 16) alignment = 16;
  const unsigned size_class = class_of(size + sizeof(Header) + (alignment > 16 ? alignment : 0));
  char* block;
  if (FreeBlock* free = free_lists[size_class]; free != nullptr) {
    free_lists[size_class] = free->next;
    block = reinterpret_cast<char*>(free);
  } else {
    if (next_fresh == nullptr)
      next_fresh = static_cast<char*>(map_pages(reinterpret_cast<void*>(kPrivateHeap), kReserved));
    block = next_fresh;
    next_fresh += (class_size(size_class) + 15) & ~std::size_t{15};
    if (next_fresh > reinterpret_cast<char*>(kPrivateHeap) + kReserved) die("out of address space");
  }
  const auto user =
      (reinterpret_cast<std::uintptr_t>(block) + sizeof(Header) + alignment - 1) & ~(alignment - 1);
  auto* header = reinterpret_cast<Header*>(user - sizeof(Header));
  header->size_class = size_class;
  header->offset = static_cast<std::uint32_t>(user - reinterpret_cast<std::uintptr_t>(block));
  return reinterpret_cast<void*>(user);
}

void private_free(void* pointer) {
  if (pointer == nullptr) return;
  const auto* header = reinterpret_cast<Header*>(static_cast<char*>(pointer) - sizeof(Header));
  const unsigned size_class = header->size_class;
  auto* block = reinterpret_cast<FreeBlock*>(static_cast<char*>(pointer) - header->offset);
  block->next = free_lists[size_class];
  free_lists[size_class] = block;
}

bool is_private(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) - kPrivateHeap < kReserved;
}

std::size_t private_size(const void* pointer) {
  const auto* header =
      reinterpret_cast<const Header*>(static_cast<const char*>(pointer) - sizeof(Header));
  return class_size(header->size_class) - header->offset;
}

}  // namespace mazur::native

// The runtime's own new and delete; the linker script keeps them out of the program's sight.
using mazur::native::private_allocate;
using mazur::native::private_free;

void* operator new(std::size_t size) { return private_allocate(size); }
void* operator new[](std::size_t size) { return private_allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return private_allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return private_allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return private_allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return private_allocate(size);
}
void operator delete(void* pointer) noexcept { private_free(pointer); }
void operator delete[](void* pointer) noexcept { private_free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { private_free(pointer); }
void operator delete[](void* pointer, std::size_t) noexcept { private_free(pointer); }
void operator delete(void* pointer, std::align_val_t) noexcept { private_free(pointer); }
void operator delete[](void* pointer, std::align_val_t) noexcept { private_free(pointer); }
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept {
  private_free(pointer);
}
void operator delete[](void* pointer, std::size_t, std::align_val_t) noexcept {
  private_free(pointer);
}
void operator delete(void* pointer, const std::nothrow_t&) noexcept { private_free(pointer); }
void operator delete[](void* pointer, const std::nothrow_t&) noexcept { private_free(pointer); }
