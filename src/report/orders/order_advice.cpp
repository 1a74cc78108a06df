#include "report/orders/order_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "graph/orders/stronger_orders.h"
#include "report/orders/sites.h"
#include "trace/failure.h"
#include "trace/operation_name.h"

namespace mazur {

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
}

void advise_on_orders(Result& result) {
  for (Finding& finding : result.findings) advise_on_orders(finding, result.memory);
}

std::string order_advice(const Finding& finding, const TextStyle& style) {
  const OrderAdvice& orders = finding.orders;
  if (orders.fails_under_sc)
    return "  No memory orders forbid this execution: it is allowed with seq_cst everywhere, "
           "too.\n";
  if (orders.forbidden_by.empty()) return {};
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
    std::string line =
        fmt::format("{:<{}}  {}", lines[i], width,
                    change.where.text.empty() ? site_operation(change.kind) : change.where.text);
    if (style.width > 0 && line.size() > style.width) {
      line.resize(style.width - 1);
      line += '~';
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace mazur
