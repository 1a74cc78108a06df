// Compares the explorer `graph` with the two oracles of memory models on random programs.
#pragma once

#include <cstdint>
#include <string>

#include "enumerate.h"
#include "generate/generate.h"
#include "machine/model/program.h"

namespace mazur::model {

// A random program as generate() makes it, with random memory orders and with fences. Every fourth
// one is like a litmus test instead.
Program generate_weak(std::uint64_t seed, std::uint64_t number, const Shape& shape);

// Whether `graph` knows all that the program does.
bool is_for_graphs(const Program& program);

struct WeakFindings {
  bool too_large = false;
  std::uint64_t executions = 0;  // of all models
  std::string what;              // empty, or what is wrong
};

// Under every model, `graph` must find the graphs that the axioms allow, each once, whatever it
// picks first, and start nothing in vain. Those of tso and pso must be those of store buffers. What
// sc allows tso must allow, what tso allows pso must allow, what sc allows c++20 must allow.
WeakFindings verify_weak(const Program& program, std::uint64_t seed, std::size_t max_graphs);

}  // namespace mazur::model
