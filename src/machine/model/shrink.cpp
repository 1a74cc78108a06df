#include "machine/model/shrink.h"

#include <algorithm>

namespace mazur::model {
namespace {

using Shows = std::function<bool(const Program&)>;

// Marks as spawned exactly the threads that some other thread spawns.
void settle_spawned(Program& program) {
  for (Thread& thread : program.threads) thread.spawned = false;
  for (const Thread& thread : program.threads)
    for (const Instruction& in : thread.code)
      if (in.code == Code::kSpawn) program.threads[in.target].spawned = true;
}

void delete_instruction(Thread& thread, std::size_t index) {
  thread.code.erase(thread.code.begin() + static_cast<std::ptrdiff_t>(index));
  for (Instruction& in : thread.code)
    if (has_part(in.code, Part::kTarget) && in.target > index) --in.target;
}

void delete_thread(Program& program, std::size_t index) {
  program.threads.erase(program.threads.begin() + static_cast<std::ptrdiff_t>(index));
  for (Thread& thread : program.threads) {
    for (std::size_t i = thread.code.size(); i-- > 0;) {
      Instruction& in = thread.code[i];
      if (!has_part(in.code, Part::kThread)) continue;
      if (in.target == index)
        delete_instruction(thread, i);
      else if (in.target > index)
        --in.target;
    }
  }
}

class Shrinker {
 public:
  Shrinker(Program program, const Shows& shows) : best_(std::move(program)), shows_(shows) {}

  Program run() {
    do {
      progress_ = false;
      for (std::size_t t = best_.threads.size(); t-- > 0;)
        attempt([t](Program& p) { delete_thread(p, t); });
      for (std::size_t t = 0; t < best_.threads.size(); ++t)
        for (std::size_t i = best_.threads[t].code.size(); i-- > 0;) shrink_instruction(t, i);
      shrink_pairs();
      shrink_objects();
    } while (progress_);
    return best_;
  }

 private:
  template <typename Change>
  bool attempt(const Change& change) {
    Program candidate = best_;
    change(candidate);
    settle_spawned(candidate);
    if (candidate == best_ || !invalid(candidate).empty() || !shows_(candidate)) return false;
    best_ = std::move(candidate);
    return progress_ = true;
  }

  void shrink_instruction(std::size_t t, std::size_t i) {
    if (attempt([=](Program& p) { delete_instruction(p.threads[t], i); })) return;
    const auto edit = [=, this](auto change) {
      attempt([=](Program& p) { change(p.threads[t].code[i]); });
    };
    edit([](Instruction& in) { in.place = {}; });
    edit([](Instruction& in) { in.place.index = kNoRegister; });
    edit([](Instruction& in) { in.place2 = {}; });
    edit([](Instruction& in) { in.value = {}; });
    edit([](Instruction& in) { in.value.reg = kNoRegister; });
    edit([](Instruction& in) { in.value.constant = std::min(in.value.constant, 1); });
    edit([](Instruction& in) { in.reg = 0; });
    edit([](Instruction& in) { in.ways = std::min<std::uint16_t>(in.ways, 2); });
    edit([](Instruction& in) {
      in.value2 = {.constant = form(in.code).kind == OpKind::kReceive ? -1 : 0};
    });
    edit([](Instruction& in) {
      if (in.code == Code::kReceiveAfter || in.code == Code::kCountAfter) in.code = Code::kReceive;
    });
    edit([](Instruction& in) {
      if (in.code == Code::kLoadPart) in.code = Code::kLoad;
      if (in.code == Code::kStorePart) in.code = Code::kStore;
      if (in.code == Code::kCasPart) in.code = Code::kCas;
      if (in.code <= Code::kCas) in.ways = 1;
    });
    edit([](Instruction& in) {
      if (in.code == Code::kFetchAdd || in.code == Code::kCas) {
        const Place place = in.place;
        in = {.code = Code::kStore, .place = place, .value = {.constant = 1}};
      }
    });
  }

  // A lock and its unlock, and the like, only go together.
  void shrink_pairs() {
    for (std::size_t t = 0; t < best_.threads.size(); ++t)
      for (std::size_t i = 0; i < best_.threads[t].code.size(); ++i)
        for (std::size_t j = i + 1; j < best_.threads[t].code.size(); ++j)
          if (attempt([=](Program& p) {
                delete_instruction(p.threads[t], j);
                delete_instruction(p.threads[t], i);
              }))
            j = i;
  }

  void shrink_objects() {
    for (std::size_t c = 0; c < kObjectClasses; ++c) {
      while (!best_.objects[c].empty() && attempt([c](Program& p) { p.objects[c].pop_back(); })) {
      }
      for (std::size_t i = 0; i < best_.objects[c].size(); ++i) {
        attempt([=](Program& p) { p.objects[c][i] = 0; });
        while (best_.objects[c][i] > 0 && attempt([=](Program& p) { --p.objects[c][i]; })) {
        }
      }
    }
  }

  Program best_;
  const Shows& shows_;
  bool progress_ = false;
};

}  // namespace

Program shrink(Program program, const Shows& shows) {
  return Shrinker(std::move(program), shows).run();
}

}  // namespace mazur::model
