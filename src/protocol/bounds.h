// The bounds on an exploration, and which of them have cut something off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mazur {

struct Bounds {
  std::uint64_t max_steps = 100000;  // events in one execution
  std::uint64_t max_executions = 0;  // 0: no bound
  std::uint64_t slice = 0;           // pause after so many executions; 0: no bound
  std::uint32_t unroll = 0;          // iterations of a loop (check/unrolling.h); 0: no bound
  // The same for the loops at some lines of the source: Pending::loop_bound says which.
  static constexpr std::size_t kMostLoops = 16;
  std::uint32_t loop_count = 0;
  std::uint32_t loops[kMostLoops] = {};
  double time_limit = 0;         // seconds; 0: no bound
  bool keep_going = false;       // go on after an error
  bool standstill_fails = true;  // a state in which no thread can go on is an error
  bool portfolio = false;        // beside a long exploration, other walks look for errors
  std::uint64_t portfolio_seed = 1;
  bool repeat = false;  // run every execution twice and compare: catches what is not controlled
};

// What can keep an exploration from being a proof although nothing went wrong. A number is never
// given another meaning: they travel between processes as bits.
enum class Cut : std::uint8_t {
  kMaxSteps,
  kUnroll,
  kPreemptions,
  kDelays,
  kMaxExecutions,
  kTimeLimit,
  kNondet,  // inputs were tried with some of their values only
  kContexts,
  kStepLimit,
  kPlainLoop,  // a thread was left in a loop for a plain variable that was written
  kTimeouts,   // a wait with a deadline waited as if it had none
  kTime,       // time that passes in loops that wait, where a clock might show it
};
inline constexpr unsigned kCuts = 12;

// A set of them.
class Cuts {
 public:
  Cuts() = default;
  explicit Cuts(std::uint32_t bits) : bits_(bits) {}
  void add(Cut cut) { bits_ |= bit(cut); }
  bool contains(Cut cut) const { return (bits_ & bit(cut)) != 0; }
  bool empty() const { return bits_ == 0; }
  std::uint32_t bits() const { return bits_; }

 private:
  static std::uint32_t bit(Cut cut) { return 1u << static_cast<unsigned>(cut); }
  std::uint32_t bits_ = 0;
};

// The options that made the cuts, without dashes: "max-steps", "unroll", ...
std::vector<std::string_view> names(Cuts cuts);
// Why it is no proof: "executions were cut by --max-steps"; several are joined by "; ".
std::string reason(Cuts cuts);

}  // namespace mazur
