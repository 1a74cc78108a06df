// mazur_name_thread and mazur_name_object of include/mazur/mazur.h.
//
// Enabled, does, depends on, reversible: no events. Names are for reports and decide nothing.
#include "machine/native/hooks/names.h"

#include <cstdio>

#include "machine/native/engine/fiber.h"
#include "machine/native/engine/per_execution.h"
#include "machine/native/engine/runtime.h"

namespace mazur::native {
namespace {

constexpr std::size_t kLongest = 48;        // with the zero at the end; what is longer is cut
constexpr std::size_t kMostObjects = 1024;  // further names are left out

struct Named {
  ObjectId object;
  char name[kLongest];
};
Named objects[kMostObjects];
std::size_t object_count = 0;
std::size_t objects_before_main = 0;
char of_thread[kMaxThreads][kLongest];

void forget_names() {
  object_count = objects_before_main;
  for (ThreadId id = 0; id < known_threads(); ++id) of_thread[id][0] = 0;
}

const PerExecution names(forget_names, [] { objects_before_main = object_count; });

void set(char (&to)[kLongest], const char* name) {
  std::size_t i = 0;
  for (; name != nullptr && name[i] != 0 && i + 1 < kLongest; ++i)
    to[i] = static_cast<unsigned char>(name[i]) < 0x20 ? ' ' : name[i];
  to[i] = 0;
}

}  // namespace

std::vector<std::pair<ThreadId, std::string>> thread_names() {
  std::vector<std::pair<ThreadId, std::string>> all;
  for (ThreadId id = 0; id < known_threads(); ++id) {
    const Fiber* fiber = find_fiber(id);
    if (fiber == nullptr) continue;
    const char* name = of_thread[id][0] != 0 ? of_thread[id] : fiber->name;
    if (name[0] != 0) all.emplace_back(id, name);
  }
  return all;
}

std::vector<std::pair<ObjectId, std::string>> object_names() {
  std::vector<std::pair<ObjectId, std::string>> all;
  for (std::size_t i = 0; i < object_count; ++i)
    if (objects[i].name[0] != 0) all.emplace_back(objects[i].object, objects[i].name);
  return all;
}

}  // namespace mazur::native

using namespace mazur;
using namespace mazur::native;

MAZUR_EXPORT void mazur_runtime_name_thread(const char* name) {
  if (in_execution()) set(of_thread[current_thread()], name);
}

// A later name for the same address replaces the first: the memory may be another object's by now.
MAZUR_EXPORT void mazur_runtime_name_object(const void* object, const char* name) {
  const auto address = reinterpret_cast<ObjectId>(object);
  if (address == 0) return;
  std::size_t i = 0;
  while (i < object_count && objects[i].object != address) ++i;
  if (i == kMostObjects) return;
  if (i == object_count) objects[object_count++].object = address;
  set(objects[i].name, name);
}
