#include "report/orders/order_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "graph/orders/stronger_orders.h"
#include "report/orders/gaps.h"
#include "report/orders/sites.h"
#include "trace/failure.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

void advise_on_fences(Finding& finding, MemoryModel memory) {
  const Gaps gaps(finding);
  static_assert(Gaps::kNone == kNoSite);
  for (const StrongerOrder& change :
       forbidding_fences(finding.record.events, gaps.numbers(), memory).changes) {
    const Gap& gap = gaps[change.site];
    finding.orders.forbidden_by_fences.push_back({gap.after, gap.before, change.order});
  }
  std::ranges::sort(finding.orders.forbidden_by_fences, {}, [](const NewFence& fence) {
    return std::tie(fence.after.file, fence.after.line, fence.before.line);
  });
}

// A line of a report, cut to fit.
std::string fit(std::string line, const TextStyle& style) {
  if (style.width > 0 && line.size() > style.width) {
    line.resize(style.width - 1);
    line += '~';
  }
  return line + "\n";
}

std::string fence_advice(const OrderAdvice& orders, const TextStyle& style) {
  const std::vector<NewFence>& fences = orders.forbidden_by_fences;
  if (fences.empty()) return {};
  std::string text;
  if (orders.forbidden_by.empty())
    text = fences.size() == 1 ? "  This fence would forbid this execution:\n"
                              : "  These fences together would forbid this execution:\n";
  else
    text = fences.size() == 1 ? "  So would this fence:\n" : "  So would these fences together:\n";
  for (const NewFence& fence : fences) {
    const std::string& file = fence.after.file;
    const std::string_view scope = file.ends_with(".c") ? "" : "std::";
    text += fit(fmt::format("    {0}atomic_thread_fence({0}memory_order_{1}) between lines {2} and "
                            "{3} of {4}",
                            scope, memory_order_name(fence.order), fence.after.line,
                            fence.before.line, file.substr(file.rfind('/') + 1)),
                style);
  }
  return text;
}

}  // namespace

void advise_on_orders(Finding& finding, MemoryModel memory) {
  finding.orders = {};
  const Record& record = finding.record;
  if (memory == MemoryModel::kSc || ends_exploration(record.kind) ||
      std::ranges::all_of(record.events, [](const Event& e) { return e.label.ref == kNewest; }))
    return;
  SiteNumbers numbers;
  std::vector<Site> sites(record.events.size(), kNoSite);
  bool all_known = true;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Label& label = record.events[i].label;
    if (!has_memory_order(label.kind)) continue;
    const auto line = order_line(i < record.event_stacks.size() && !record.event_stacks[i].empty()
                                     ? record.event_stacks[i]
                                     : std::vector<std::uint64_t>{label.pc},
                                 finding.places);
    if (line)
      sites[i] = numbers.number_of(*line, label.kind);
    else
      all_known = false;
  }
  const Forbidding forbidding = forbidding_orders(record.events, sites, memory);
  finding.orders.fails_under_sc = forbidding.answer == Forbidding::Answer::kNothing && all_known;
  for (const StrongerOrder& change : forbidding.changes) {
    const SiteNumbers::Place& place = numbers.places()[change.site];
    finding.orders.forbidden_by.push_back({place.line, place.kind, change.order});
  }
  std::ranges::sort(finding.orders.forbidden_by, {}, [](const OrderChange& change) {
    return std::tie(change.where.file, change.where.line, change.kind);
  });
  if (!finding.orders.fails_under_sc && forbidding.changes.size() != 1)
    advise_on_fences(finding, memory);
}

void advise_on_orders(Result& result) {
  for (Finding& finding : result.findings) advise_on_orders(finding, result.memory);
}

std::string order_advice(const Finding& finding, const TextStyle& style) {
  const OrderAdvice& orders = finding.orders;
  if (orders.fails_under_sc)
    return "  No memory orders forbid this execution: it is allowed with seq_cst everywhere, "
           "too.\n";
  if (orders.forbidden_by.empty()) return fence_advice(orders, style);
  std::vector<std::string> lines;
  std::size_t width = 0;
  for (const OrderChange& change : orders.forbidden_by) {
    const std::string& file = change.where.file;
    lines.push_back(fmt::format("    memory_order_{} at {}:{}", memory_order_name(change.order),
                                file.substr(file.rfind('/') + 1), change.where.line));
    width = std::max(width, lines.back().size());
  }
  std::string text = orders.forbidden_by.size() == 1
                         ? "  This memory order would forbid this execution:\n"
                         : "  These memory orders together would forbid this execution:\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const OrderChange& change = orders.forbidden_by[i];
    text += fit(
        fmt::format("{:<{}}  {}", lines[i], width,
                    change.where.text.empty() ? site_operation(change.kind) : change.where.text),
        style);
  }
  return text + fence_advice(orders, style);
}

}  // namespace mazur
