// The block of memory that `mazur check` and the program under test share.
//
// `mazur check` makes it (memfd_create), fills in `request`, starts the program with our runtime in
// libtsan's place, the block's file descriptor number in the environment variable MAZUR_CHANNEL,
// and address randomisation off. The runtime maps it, explores, reports progress and errors in it,
// sets `verdict` and ends the process. If the process dies beyond recovery, `schedule` still holds
// what it was running.
//
// One writer per field: `request`, `stop`, `parts`, `used_order` and `deep_call` are written by mazur,
// `work` and its area by whose turn it is, everything else by the runtime.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "explore/options.h"
#include "protocol/bounds.h"
#include "protocol/order_sites.h"
#include "protocol/property.h"
#include "protocol/verdict.h"
#include "trace/label.h"

namespace mazur {

inline constexpr std::uint32_t kChannelMagic = 0x525a414d;  // "MAZR"
inline constexpr std::uint32_t kChannelVersion = 10;
inline constexpr char kChannelVariable[] = "MAZUR_CHANNEL";
// In the environment of mazur: sets Request::every_access.
inline constexpr char kEveryAccessVariable[] = "MAZUR_EVERY_ACCESS";
// With several workers: each gives the rest of its piece away after so many executions. For tests:
// it must make no difference.
inline constexpr char kSliceVariable[] = "MAZUR_SLICE";

// Channel::granules: every plain access is an event.
inline constexpr std::uint32_t kAllGranules = 0xffffffff;

enum class Isolation : std::uint32_t { kSnapshot, kFork };
enum class Races : std::uint32_t { kReport, kExplore, kIgnore };

// When a wait with a deadline may time out: whenever it would block; the first time at each place
// of each thread, and then not; never.
enum class Timeouts : std::uint32_t { kAny, kFirst, kNever };

// What is asked of the runtime.
struct Request {
  char algorithm[32] = "optimal";
  ExplorerOptions explorer;
  Bounds bounds;
  Isolation isolation = Isolation::kSnapshot;
  Races races = Races::kReport;
  // With Races::kExplore: every plain access is an event, also to memory that nobody shares.
  std::uint32_t every_access = 0;
  std::uint32_t watch_loops = 1;  // --loops=wait: loops that wait are stopped until a write
  std::uint32_t show_output = 0;  // --output=all: write the program's output through
  // With bounds.loops: the lines. A file is named by the end of its path.
  struct Line {
    char file[248] = "";
    std::uint32_t line = 0;
  };
  Line loop_lines[Bounds::kMostLoops];
  Timeouts timeouts = Timeouts::kAny;
  // How often a thread may wake up, or fail, spuriously in an execution (hooks/spurious.h).
  std::uint32_t spurious_wakeups = 0, spurious_failures = 0;
  std::uint32_t leaks = 0;  // memory that nobody can reach at the end is an error
  std::uint32_t gdb = 0;    // replay in a debugger: no watchdog, SIGTRAP before the failing step
  std::uint32_t nondet_given = 0;  // integer inputs of SV-COMP's kind are in this range
  std::int64_t nondet_lowest = 0, nondet_highest = 0;
  double minimise = 1;             // seconds for making a failing schedule shorter; 0: it stays
  std::uint32_t max_errors = 64;   // distinct errors that are recorded with --keep-going
  std::uint32_t replay = 0;        // run the schedule in `replay_size` bytes after the log
  std::uint64_t replay_times = 1;  // so often
  std::uint64_t replay_offset = 0,
                replay_size = 0;  // an encoded Record, in bytes from the block's start
  char suppressions[4096] = "";   // a file of races that are not to be reported, or ""
  char library_path[4096] = "";   // LD_LIBRARY_PATH as the program should see it; "\1" if unset
  Property property = Property::kNone;
  char property_function[64] = "";  // of Property::kUnreachCall
  // List the loaded modules before the exploration and wait for what to watch (LoadedModule).
  std::uint32_t list_modules = 0;
  std::uint32_t only_modules = 0;  // and end then
  std::uint32_t note_orders = 0;   // --weaken: Channel::used_order, and order_site to be filled
  double step_limit = 30;          // seconds of processor time in one step; 0: no limit
  double call_limit = 5;           // seconds that a system call may block; 0: no limit
  std::uint32_t worker = 0;        // explore what mazur offers (Channel::work), not everything
  std::uint32_t shorten = 0;       // with `replay`: make the schedule shorter
  // A failed check of the program's test framework is an error where it happens (failed_checks.h).
  std::uint32_t failed_checks = 0;
};

static_assert(std::is_trivially_copyable_v<Request>);

// What is loaded into the program. The runtime lists it once, mazur answers which code is not seen,
// and the runtime tells which of that ran while several threads existed.
enum class Watch : std::uint32_t {
  kNone,
  kWhole,   // any of its code
  kPlaces,  // the instructions at some of its addresses
};
struct LoadedModule {
  static constexpr std::size_t kPath = 1024;
  static constexpr std::size_t kCallers = 24;

  // By the runtime. Of a path that does not fit, only its beginning is here.
  std::uint64_t base, begin, end;  // as in Module (protocol/record.h)
  char path[kPath];                // empty: the program itself
  // By mazur.
  Watch watch;
  std::uint32_t first_place, places;  // Channel::place: addresses of the file, without `base`
  // By the runtime: the call stack when its code first ran beside other threads, innermost first.
  std::uint32_t called;
  std::uint32_t callers;
  std::uint64_t caller[kCallers];
};
enum class Modules : std::uint32_t { kNotListed, kListed, kAnswered };

enum class Phase : std::uint32_t { kNotStarted, kStarted, kExploring, kDone };

// With Request::worker: whose turn it is. A futex: both sides wait for it.
enum class Work : std::uint32_t {
  kNone,     // the worker has not asked yet
  kWanted,   // mazur's: there is an encoded SliceEnd in the work area, but the first time
  kOffered,  // the worker's: there is an encoded Offer
  kOver,     // the worker's: there is no more
};

// A Step in the block. It has no initial value, so that making the block does not touch the hundreds of
// pages in which most executions leave no trace.
struct StepSlot {
  alignas(Step) char bytes[sizeof(Step)];
  StepSlot& operator=(const Step& step) {
    std::memcpy(bytes, &step, sizeof step);
    return *this;
  }
  operator Step() const {
    Step step;
    std::memcpy(&step, bytes, sizeof step);
    return step;
  }
};

// The block. `log` is followed by kLogSize bytes of records: each a 64-bit length and that many
// bytes (protocol/record.h).
struct Channel {
  static constexpr std::uint32_t kScheduleSize = 1u << 18;
  static constexpr std::uint64_t kLogSize = 256ull << 20;  // reserved, not committed

  std::uint32_t magic = kChannelMagic;
  std::uint32_t version = kChannelVersion;
  Request request;

  std::atomic<std::uint32_t> stop{0};

  std::atomic<Phase> phase{Phase::kNotStarted};
  std::atomic<std::uint64_t> complete{0}, blocked{0}, assume_blocked{0}, bounded{0}, events{0},
      failures{0}, depth{0};
  std::atomic<std::uint32_t> minimising{0};  // a found schedule is being made shorter
  std::atomic<double> explored{0};           // Explored::at_least
  std::atomic<double> seconds{0};            // spent exploring
  Verdict verdict = Verdict::kError;         // valid when phase is kDone
  char reason[2048] = "";
  char statistics[2048] = "";
  std::atomic<std::uint32_t> cuts{0};  // Cuts, valid when phase is kDone
  std::atomic<std::uint32_t> sampled{
      0};  // an input was asked for of which not all values are tried

  static constexpr std::uint32_t kMaxRecords = 256;
  // How often the error of the n-th record was seen in all (the record itself is written at once,
  // with 1).
  std::atomic<std::uint64_t> counts[kMaxRecords] = {};
  std::atomic<std::uint64_t> log_size{0};  // bytes of complete records
  std::atomic<std::uint32_t> schedule_size{0};
  StepSlot schedule[kScheduleSize];  // the execution under way (its first kScheduleSize steps)

  // With Races::kExplore: plain accesses are events if they touch one of these granules, as
  // addresses divided by 8.
  static constexpr std::uint32_t kMaxGranules = 1u << 16;
  std::atomic<std::uint32_t> granules{kAllGranules};
  std::uint64_t granule[kMaxGranules];

  static constexpr std::uint32_t kMaxModules = 1024;
  static constexpr std::uint32_t kMaxPlaces = 1u << 18;
  std::atomic<Modules> modules{Modules::kNotListed};  // a futex: both sides wait for it
  std::uint32_t module_count = 0;                     // may be more than there is room for
  LoadedModule module[kMaxModules];
  std::uint64_t place[kMaxPlaces];

  // With Request::note_orders. By mazur, before the program starts: orders in the place of others,
  // and calls for which callers count as well.
  static constexpr std::uint32_t kMaxOrderSites = 1u << 12;
  std::uint32_t used_orders = 0, deep_calls = 0;
  UsedOrder used_order[kMaxOrderSites];
  std::uint64_t deep_call[kMaxOrderSites];
  // By the runtime. There may be more than there is room for.
  std::atomic<std::uint32_t> order_sites{0};
  OrderSite order_site[kMaxOrderSites];

  std::atomic<double> explored_most{0};      // Explored::at_most
  std::atomic<std::uint32_t> no_timeout{0};  // a wait with a deadline waited as if it had none
  // A thread has looked at a clock; a thread has stopped after rounds in which time passes.
  std::atomic<std::uint32_t> time_seen{0}, time_left_out{0};
  std::atomic<std::uint32_t> loop_lines_met{
      0};  // bit i: an operation was at Request::loop_lines[i]
  // A thread waited where a spurious wake-up was not tried.
  std::atomic<std::uint32_t> no_spurious_wakeup{0};
  // Under a weak memory model: mailboxes or tables were used, which are sequentially consistent.
  std::atomic<std::uint32_t> sequential_objects{0};
  // With Request::worker. `work_size`: bytes in the work area, by whoever sets `work`. `parts`, by
  // mazur: if it is not 0, the worker is to pause and give back what is left in so many pieces.
  std::atomic<Work> work{Work::kNone};
  std::atomic<std::uint64_t> work_size{0};
  std::atomic<std::uint32_t> parts{0};
  std::atomic<std::uint32_t> threads_seen{0};  // the program has created a thread
  // Executions of the portfolio (check/portfolio), their events, and those that failed.
  std::atomic<std::uint64_t> portfolio{0}, portfolio_events{0}, portfolio_failures{0};
};

inline constexpr std::uint64_t kChannelHeader = (sizeof(Channel) + 4095) & ~std::uint64_t{4095};
// The work area follows the log.
inline constexpr std::uint64_t kWorkArea = kChannelHeader + Channel::kLogSize;
inline constexpr std::uint64_t kWorkAreaSize = 256ull << 20;  // reserved, not committed
inline constexpr std::uint64_t kChannelBytes = kWorkArea + kWorkAreaSize;

}  // namespace mazur
