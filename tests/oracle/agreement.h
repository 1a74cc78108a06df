// Many random programs against brute force.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generate/generate.h"
#include "machine/model/program.h"

namespace mazur::model {

struct Campaign {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;    // number of the first program
  std::uint64_t step = 1;     // every step-th one
  std::uint64_t count = 0;    // programs to check, too large ones not counted
  double seconds = 0;         // 0: no limit
  bool all_subjects = false;  // every order of picking for every program, instead of one each
  std::vector<std::string> explorers;
  Shape shape;
  bool memory = false;                 // memory models instead (weak/weak_campaign.h)
  std::uint64_t max_prefixes = 4000;   // larger programs are left out
  std::uint64_t max_schedules = 1000;  // naive is not run on more
  // On more, dpor without sleep sets is run with one order of picking alone: it may repeat a class as
  // often as the class has schedules.
  std::uint64_t max_repeated = 1'000'000;
  bool progress = false;  // a line to stderr now and then
};

struct Disagreement {
  std::uint64_t number = 0;  // of the program
  std::string explorer;      // empty: the oracle contradicts itself
  std::string what;
  std::string original;  // what was wrong with the program before it was made smaller
  Program program;       // made smaller

  std::string describe() const;
};

struct Findings {
  std::uint64_t programs = 0;
  std::uint64_t too_large = 0;
  std::uint64_t blocking = 0;  // programs that can deadlock
  std::uint64_t classes = 0;
  std::uint64_t schedules = 0;
  double seconds = 0;
  std::vector<Disagreement> disagreements;  // the campaign ends with the tenth
};

Findings run(const Campaign& campaign);

}  // namespace mazur::model
