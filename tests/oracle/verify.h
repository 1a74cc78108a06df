// Compares an explorer with brute force on one program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "explore/explorer.h"
#include "oracle.h"

namespace mazur::model {

// An explorer and what it promises.
struct Subject {
  std::string name;  // for make_explorer
  ExplorerOptions options;
  bool never_repeats = false;  // runs no class to its end twice
  bool never_blocked = false;  // starts no execution that turns out to be redundant
  bool every_schedule = false;
  // It may refuse a program. Where threads share memory, tables and mailboxes alone, without
  // atomic blocks and time limits of receives, it never repeats a class.
  bool partial = false;
  bool only_endings = false;  // visits every final state, but not every class
  // What it promises is about classes modulo observability.
  bool observed = false;
  // Promises final states, failures and deadlocks (`observed`: what threads show), not classes.
  bool states = false;

  std::string describe() const;
};

// The subjects with this name: with all orders of picking, and dpor with and without sleep sets.
std::vector<Subject> subjects(const std::string& name);

struct Explored {
  std::uint64_t complete = 0;  // executions run to their end, failed assumes included
  std::uint64_t blocked = 0;
  std::unordered_map<ClassName, unsigned> classes;  // how often each was run to its end
  std::set<Ending> endings;
  std::map<ClassName, unsigned> observed_classes;  // the same modulo observability
  std::set<Shown> shown;
  bool by_observation = false;  // the last two are kept
  std::string complaint;        // what the loop said, if it was not satisfied
};

// Explores with at most `max_executions`.
Explored explore_all(const Program& program, const Subject& subject, std::uint64_t max_executions);

// Empty, or what is wrong: a class of the answer that was not visited, one that was visited but is
// not in the answer, a broken promise.
std::string verify(const Program& program, const Answer& answer, const Subject& subject);

}  // namespace mazur::model
