#include "report/schedule_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "report/findings/names.h"
#include "report/findings/relevant.h"
#include "report/messages.h"
#include "report/orders/old_values.h"
#include "trace/access.h"
#include "trace/atomic_block/block.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

constexpr std::ptrdiff_t kShownRows = 60;  // without --verbose
constexpr std::size_t kStepWidth = 7;
constexpr std::size_t kLeastSource = 12;   // columns for the source text
constexpr std::size_t kMostColumns = 8;    // more threads share one column
constexpr std::size_t kWidestColumn = 34;  // longer cells are cut

std::string cut(std::string text, std::size_t width) {
  if (text.size() <= width) return text;
  text.resize(width - 1);
  return text + "~";
}

std::string number(std::uint64_t value) {
  // Small numbers, positive or negative, are numbers to a reader; the rest are addresses or bits.
  if (value <= 0xffffff) return fmt::format("{}", value);
  const auto as_signed = static_cast<std::int64_t>(value);
  if (as_signed < 0 && as_signed > -0x1000000) return fmt::format("{}", as_signed);
  return hex(value);
}

// A value that is the address of something named is shown as that.
std::string value_of(std::uint64_t value, const Places& places) {
  const auto found = places.objects.find(value);
  return found != places.objects.end() ? "&" + found->second : number(value);
}

// "thread 1, thread 3"
std::string woken(const Event& event) {
  std::string text;
  for (ThreadId thread = 0; thread < 64; ++thread)
    if ((woken_threads(event.label) & woken_bit(thread)) != 0)
      text += (text.empty() ? "" : ", ") + thread_name(thread);
  return text;
}

std::string values(const Event& event, const Places& places) {
  const Label& label = event.label;
  const auto number = [&places](std::uint64_t value) { return value_of(value, places); };
  switch (label.kind) {
    case OpKind::kLoad:
    case OpKind::kSemRead:
      return " = " + number(label.read);
    case OpKind::kStore:
      return " := " + number(label.written);
    case OpKind::kRmw:
      return fmt::format(" {} -> {}", number(label.read), number(label.written));
    case OpKind::kCas:
      return label.success ? fmt::format(" {} -> {}", number(label.read), number(label.written))
                           : fmt::format(" = {}, failed", number(label.read));
    case OpKind::kTryLock:
    case OpKind::kTryRdLock:
    case OpKind::kTryWrLock:
      return acquired(label) ? "" : label.timed ? ", timed out" : ", failed";
    case OpKind::kSemWait:
    case OpKind::kSemPost:
      return fmt::format(" {} -> {}", number(count_before(label)), number(count_after(label)));
    case OpKind::kSemTryWait:
      return label.success ? fmt::format(" {} -> {}", number(label.read), number(label.written))
             : label.timed ? ", timed out"
                           : ", failed";
    case OpKind::kCondWake:
    case OpKind::kFutexWoken:
      return was_woken(label) ? "" : ", timed out";
    case OpKind::kFutexWait:
      return slept(label) ? "" : " = " + number(label.read) + ", did not wait";
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
      return ", woke " + (label.read == 0             ? "nobody"
                          : woken_threads(label) == 0 ? fmt::format("{}", label.read)
                                                      : woken(event));
    default:
      return {};
  }
}

// The objects an atomic block touched, the first few of them, with what it found and left there.
std::string describe_block(const Label& label, const Places& places) {
  constexpr std::size_t kShown = 4;
  std::string text = label.success ? "block" : "block (undone)";
  if (is_unknown_block(label)) return text;
  const auto list = block_table.contents(label);
  for (std::size_t i = 0; i < list.size() && i < kShown; ++i) {
    const BlockAccess& a = list[i];
    text += (i == 0 ? " " : ", ") + object_name(a.access.object, places);
    if (a.access.space == Space::kMutex) continue;
    if (a.access.mode == mode::kRead)
      text += " = " + number(a.before);
    else
      text += fmt::format(" {} -> {}", number(a.before), number(a.after));
  }
  if (list.size() > kShown) text += fmt::format(", {} more", list.size() - kShown);
  return text;
}

// A step, or several of one thread that are folded.
struct Row {
  std::size_t first, last;  // steps, from 1
  ThreadId thread;
  std::string cell;
  Frame where;
  bool preempts = false;
  bool folded = false;

  std::string steps() const {
    return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  }
};

// The name of a file without its folder.
std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string place(const Frame& frame) {
  return frame.line != 0 ? fmt::format("{}:{}", file_name(frame.file), frame.line) : "";
}

std::vector<Row> all_rows(const Finding& finding, bool verbose) {
  const Record& record = finding.record;
  const std::vector<bool> matters =
      verbose ? std::vector<bool>(record.events.size(), true) : steps_that_matter(record);
  std::vector<Row> rows;
  const Arrows arrows(record.events);
  std::vector<bool> stale(record.events.size(), false);
  for (const OldValue& old : old_values(record, finding.places)) stale[old.event] = old.stale;
  bool folding = false;
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    const Event& event = record.events[i];
    if (!matters[i]) {
      if (!folding || rows.back().thread != event.thread)
        rows.push_back({i + 1, i + 1, event.thread, "", {}, false, true});
      folding = true;
      Row& row = rows.back();
      row.last = i + 1;
      row.cell = row.first == row.last ? "..." : fmt::format("... {} steps", i + 2 - row.first);
      continue;
    }
    folding = false;
    Row row{i + 1,
            i + 1,
            event.thread,
            is_message(event.label) ? arrows.describe(i, finding.places)
                                    : describe_event(event, finding.places),
            finding.places.where(record, i),
            std::binary_search(record.preemptions.begin(), record.preemptions.end(), i)};
    const std::string arrow = stale[i] ? ", old" : arrows.at(i);
    if (!verbose) row.cell = cut(row.cell, kWidestColumn - arrow.size());
    row.cell += arrow;
    rows.push_back(std::move(row));
  }
  return rows;
}

// A thread that does the same again and again, as in a loop that counts its tries, says so once.
std::vector<Row> without_repetitions(const std::vector<Row>& rows) {
  constexpr std::size_t kFewest = 3;
  const auto repeats = [](const Row& a, const Row& b) {
    return a.thread == b.thread && a.cell == b.cell && place(a.where) == place(b.where) &&
           !a.folded && !b.folded && !b.preempts;
  };
  std::vector<Row> shown;
  for (std::size_t i = 0, end = 0; i < rows.size(); i = end) {
    end = i + 1;
    while (end < rows.size() && repeats(rows[i], rows[end])) ++end;
    if (end - i < kFewest) {
      shown.insert(shown.end(), rows.begin() + static_cast<std::ptrdiff_t>(i),
                   rows.begin() + static_cast<std::ptrdiff_t>(end));
      continue;
    }
    shown.push_back(rows[i]);
    shown.back().last = rows[end - 1].last;
    const std::string times = fmt::format(", {} times", end - i);
    shown.back().cell = cut(rows[i].cell, kWidestColumn - times.size()) + times;
  }
  return shown;
}

std::string dim(const std::string& text, const TextStyle& style) {
  return style.color && !text.empty() ? fmt::format("\033[2m{}\033[0m", text) : text;
}

// A column for every thread, if that fits; else one for the thread's name and one for what it does.
class Table {
 public:
  Table(const Record& record, const std::vector<Row>& rows, const TextStyle& style)
      : record_(record), style_(style) {
    for (const Row& row : rows) {
      const std::size_t name = thread_name(record, row.thread).size();
      std::size_t& width = widths_[row.thread];
      width = std::max({width, row.cell.size(), name});
      cell_width_ = std::max(cell_width_, row.cell.size());
      name_width_ = std::max(name_width_, name);
      where_width_ = std::max(where_width_, place(row.where).size());
    }
    std::size_t all_columns = 0;
    for (const auto& [thread, width] : widths_) all_columns += width + 2;
    columns_ =
        widths_.size() <= kMostColumns &&
        (style.width == 0 || kStepWidth + all_columns + where_width_ + kLeastSource <= style.width);
  }

  std::string heading() const {
    std::string text = fmt::format("{:>{}}", "step", kStepWidth);
    if (columns_) {
      for (const auto& [thread, width] : widths_)
        text += fmt::format("  {:<{}}", thread_name(record_, thread), width);
    } else {
      text += fmt::format("  {:<{}}  {:<{}}", "thread", name_width_, "operation", cell_width_);
    }
    text.resize(text.find_last_not_of(' ') + 1);
    return style_.color ? fmt::format("\033[1m{}\033[0m\n", text) : text + "\n";
  }

  std::string line(const Row& row) const {
    std::string text = fmt::format("{:>{}}", row.steps(), kStepWidth);
    if (columns_) {
      for (const auto& [thread, width] : widths_)
        text += fmt::format("  {:<{}}", thread == row.thread ? row.cell : "", width);
    } else {
      text += fmt::format("  {:<{}}  {:<{}}", thread_name(record_, row.thread), name_width_,
                          row.cell, cell_width_);
    }
    if (row.preempts) text[kStepWidth] = '*';
    const std::string where = place(row.where);
    const std::string source = where.empty() ? row.where.function : row.where.text;
    text += fmt::format("  {:<{}}  ", where, where_width_);
    if (style_.width == 0 || style_.width > text.size() + 4)
      text += dim(style_.width == 0 ? source : cut(source, style_.width - text.size()), style_);
    text.resize(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

 private:
  const Record& record_;
  const TextStyle& style_;
  bool columns_ = false;                    // one for every thread
  std::map<ThreadId, std::size_t> widths_;  // of each thread's column
  std::size_t where_width_ = 0, cell_width_ = 0, name_width_ = 0;
};

}  // namespace

std::string object_name(std::uint64_t address, const Places& places) {
  const auto found = places.objects.find(address);
  return found != places.objects.end() ? found->second : hex(address);
}

std::string describe_operation(const Operation& op, const Places& places) {
  switch (op.kind) {
    case OpKind::kNone:
      return "step";
    case OpKind::kCreate:
      return "create " + thread_name(static_cast<ThreadId>(op.object));
    case OpKind::kJoin:
      return "join " + thread_name(static_cast<ThreadId>(op.object));
    case OpKind::kChoose:
    case OpKind::kYield:
    case OpKind::kExit:
    case OpKind::kNever:
    case OpKind::kAtomicBlock:
      return std::string(operation_name(op.kind));
    default:
      break;
  }
  if (is_message(op)) return describe_message(op, places);
  if (is_table_operation(op)) return describe_table(op, places);
  std::string_view name = operation_name(op.kind);
  if (op.kind == OpKind::kRmw) name = "update";
  for (const std::string_view known : {"atomic ", "condition "})
    if (name.starts_with(known)) name.remove_prefix(known.size());
  return fmt::format("{} {}", name, object_name(op.object, places));
}

std::string describe_event(const Event& event, const Places& places) {
  const Label& label = event.label;
  if (offers_spurious(label))
    return fmt::format("{}spurious {} {}", event.choice != 0 ? "" : "no ",
                       label.object2 == kSpuriousWakeup ? "wake-up from" : "failure at",
                       object_name(label.object, places));
  if (label.kind == OpKind::kChoose)
    return label.written == event.choice ? fmt::format("choose {} of {}", event.choice, event.ways)
                                         : fmt::format("choose {}, {} of {}", number(label.written),
                                                       event.choice + 1, event.ways);
  if (label.kind == OpKind::kAtomicBlock) return describe_block(label, places);
  if (is_message(label)) return describe_message(label, places);
  if (is_table_operation(label)) return describe_table(label, places);
  return describe_operation(label, places) + values(event, places);
}

std::string schedule_heading(const Record& record) {
  const auto counted = [](std::uint64_t steps, std::uint64_t preemptions) {
    return fmt::format("{} step{}, {} preemption{}", with_commas(steps), steps == 1 ? "" : "s",
                       with_commas(preemptions), preemptions == 1 ? "" : "s");
  };
  const std::size_t steps = record.events.size(), preemptions = record.preemptions.size();
  std::string text = "The schedule: " + counted(steps, preemptions);
  const std::size_t old = count_old_values(record);
  if (old != 0) text += fmt::format(", {} old value{}", with_commas(old), old == 1 ? "" : "s");
  if (record.minimal) text += ", the fewest possible";
  // It may have had fewer preemptions, but then more old values.
  if (record.found_steps != 0 && record.found_preemptions >= preemptions &&
      (record.found_steps != steps || record.found_preemptions != preemptions))
    text += "; found with " + counted(record.found_steps, record.found_preemptions);
  return text;
}

std::string schedule_table(const Finding& finding, const TextStyle& style) {
  std::vector<Row> rows = all_rows(finding, style.verbose);
  if (!style.verbose) rows = without_repetitions(rows);
  if (rows.empty()) return {};
  std::string text;
  if (!style.verbose && std::ssize(rows) > kShownRows) {
    rows.erase(rows.begin(), rows.end() - kShownRows);
    if (const std::size_t left_out = rows.front().first - 1; left_out > 0)
      text += fmt::format("  ... {} earlier steps (--verbose shows all)\n", with_commas(left_out));
  }
  const Table table(finding.record, rows, style);
  text += table.heading();
  bool folded = false, preempted = false;
  for (const Row& row : rows) {
    text += table.line(row);
    folded |= row.cell.starts_with("...");
    preempted |= row.preempts;
  }
  text += in_words(old_values(finding.record, finding.places));
  if (preempted) text += "  * another thread goes on here, although the one that ran could have\n";
  if (folded) text += "  ... steps that no other thread takes part in; --verbose shows all\n";
  return text;
}

}  // namespace mazur
