// For tests of the model machine: a program that is stepped by thread.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

#include "machine/model/model_machine.h"
#include "machine/model/text.h"

namespace mazur::model {

class Stepped {
 public:
  explicit Stepped(const char* text) : program_(parse(text)), machine_(program_) {
    machine_.restart();
  }
  Label run(ThreadId thread, std::uint16_t choice = 0) {
    const Label label = machine_.run({thread, choice}).label;
    const Failure* failure = machine_.failure();
    EXPECT_TRUE(failure == nullptr || failure->kind != FailureKind::kUnsupported)
        << failure->message.text;
    return label;
  }
  const Pending& next(ThreadId thread) {
    const Pending* p = machine_.frontier().find(thread);
    if (p == nullptr) throw std::logic_error("not live");
    return *p;
  }
  bool enabled(ThreadId thread) { return next(thread).enabled; }
  bool live(ThreadId thread) { return machine_.frontier().find(thread) != nullptr; }
  std::int32_t x(unsigned index) const { return machine_.state().variable(index); }
  std::int32_t reg(ThreadId thread, int r) const {
    return machine_.state().thread(thread).registers[r];
  }
  ModelMachine& machine() { return machine_; }

 private:
  Program program_;
  ModelMachine machine_;
};

}  // namespace mazur::model
