#include "report/schedule_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/describe.h"
#include "report/names.h"

namespace mazur {
namespace {

constexpr std::size_t kShownSteps = 60;    // without --verbose
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

std::string values(const Label& label) {
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
      return label.success ? "" : label.timed ? ", timed out" : ", failed";
    case OpKind::kSemWait:
    case OpKind::kSemPost:
      return fmt::format(" {} -> {}", number(label.read), number(label.written));
    case OpKind::kSemTryWait:
      return label.success ? fmt::format(" {} -> {}", number(label.read), number(label.written))
             : label.timed ? ", timed out"
                           : ", failed";
    case OpKind::kCondWake:
    case OpKind::kFutexWoken:
      return label.success ? "" : ", timed out";
    case OpKind::kFutexWait:
      return label.success ? "" : " = " + number(label.read) + ", did not wait";
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
      return label.read == 0 ? ", woke nobody" : fmt::format(", woke {}", label.read);
    default:
      return {};
  }
}

struct Row {
  std::size_t step;
  ThreadId thread;
  std::string cell;
  Frame where;
};

std::string dim(const std::string& text, const TextStyle& style) {
  return style.color && !text.empty() ? fmt::format("\033[2m{}\033[0m", text) : text;
}

}  // namespace

std::string object_name(std::uint64_t address, const Places& places) {
  const auto found = places.objects.find(address);
  return found != places.objects.end() ? found->second : hex(address);
}

std::string describe_event(const Event& event, const Places& places) {
  const Label& label = event.label;
  switch (label.kind) {
    case OpKind::kNone:
      return "step";
    case OpKind::kCreate:
      return "create " + thread_name(static_cast<ThreadId>(label.object));
    case OpKind::kJoin:
      return "join " + thread_name(static_cast<ThreadId>(label.object));
    case OpKind::kChoose:
      return label.written == event.choice
                 ? fmt::format("choose {} of {}", event.choice, event.ways)
                 : fmt::format("choose {}, {} of {}", number(label.written), event.choice + 1,
                               event.ways);
    case OpKind::kYield:
    case OpKind::kExit:
    case OpKind::kNever:
      return std::string(operation_name(label.kind));
    default:
      break;
  }
  std::string_view name = operation_name(label.kind);
  if (label.kind == OpKind::kRmw) name = "update";
  if (name.starts_with("atomic ")) name.remove_prefix(7);
  return fmt::format("{} {}{}", name, object_name(label.object, places), values(label));
}

std::string schedule_table(const Finding& finding, const TextStyle& style) {
  const Record& record = finding.record;
  const std::size_t size = record.events.size();
  const std::size_t first = !style.verbose && size > kShownSteps ? size - kShownSteps : 0;

  std::vector<Row> rows;
  std::map<ThreadId, std::size_t> widths;  // of each thread's column
  std::size_t where_width = 0;
  for (std::size_t i = first; i < size; ++i) {
    const Event& event = record.events[i];
    Row row{i + 1, event.thread, describe_event(event, finding.places),
            finding.places.where(record, i)};
    if (!style.verbose) row.cell = cut(row.cell, kWidestColumn);
    std::size_t& width = widths[event.thread];
    width = std::max({width, row.cell.size(), thread_name(record, event.thread).size()});
    if (row.where.line != 0)
      where_width =
          std::max(where_width, fmt::format("{}:{}", row.where.file, row.where.line).size());
    rows.push_back(std::move(row));
  }
  if (rows.empty()) return {};

  const bool columns = widths.size() <= kMostColumns;
  std::size_t cell_width = 0, name_width = 0;
  for (const auto& [thread, width] : widths) {
    cell_width = std::max(cell_width, width);
    name_width = std::max(name_width, thread_name(record, thread).size());
  }

  std::string text;
  if (first > 0)
    text += fmt::format("  ... {} earlier steps (--verbose shows all)\n", with_commas(first));
  std::string heading = "   step";
  if (columns) {
    for (const auto& [thread, width] : widths)
      heading += fmt::format("  {:<{}}", thread_name(record, thread), width);
  } else {
    heading += fmt::format("  {:<{}}  {:<{}}", "thread", name_width, "operation", cell_width);
  }
  heading.resize(heading.find_last_not_of(' ') + 1);
  text += style.color ? fmt::format("\033[1m{}\033[0m\n", heading) : heading + "\n";
  for (const Row& row : rows) {
    std::string line = fmt::format("  {:>5}", row.step);
    if (columns) {
      for (const auto& [thread, width] : widths)
        line += fmt::format("  {:<{}}", thread == row.thread ? row.cell : "", width);
    } else {
      line += fmt::format("  {:<{}}  {:<{}}", thread_name(record, row.thread), name_width, row.cell,
                          cell_width);
    }
    if (row.where.line != 0) {
      const std::string where = fmt::format("{}:{}", row.where.file, row.where.line);
      line += fmt::format("  {:<{}}  ", where, where_width);
      std::string source = row.where.text;
      if (style.width > line.size() + 8) source = cut(source, style.width - line.size());
      line += dim(source, style);
    } else if (!row.where.function.empty()) {
      line += "  " + row.where.function;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace mazur
