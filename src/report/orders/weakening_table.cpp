#include "report/orders/weakening_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/orders/sites.h"
#include "report/printable.h"
#include "report/words.h"
#include "trace/operation_name.h"

namespace mazur {
namespace {

std::string suffices(const WeakerOrder& order) {
  if (!order.tried) return "not tried";
  if (order.kind == OpKind::kFence && order.suffices == __ATOMIC_RELAXED) return "no fence";
  return std::string(memory_order_name(order.suffices));
}

std::string short_place(const Frame& frame) {
  return fmt::format("{}:{}", printable(frame.file.substr(frame.file.rfind('/') + 1)), frame.line);
}

std::string rows(const Weakening& weakening, const TextStyle& style) {
  std::size_t widest = 4, operation = 9;
  for (const WeakerOrder& order : weakening.orders) {
    widest = std::max(widest, short_place(order.where).size());
    operation = std::max(operation, site_operation(order.kind).size());
  }
  std::string text;
  const auto add = [&](const std::string& line, std::string_view what, std::string_view now,
                       std::string_view enough, const std::string& source) {
    std::string row = fmt::format("  {:<{}}  {:<{}}  {:<7}  {:<9}  {}", line, widest, what,
                                  operation, now, enough, source);
    row.resize(row.find_last_not_of(' ') + 1);
    if (style.width > 0 && row.size() > style.width) {
      row.resize(style.width - 1);
      row += '~';
    }
    text += row + "\n";
  };
  add("line", "operation", "now", "suffices", "");
  for (const WeakerOrder& order : weakening.orders)
    add(short_place(order.where), site_operation(order.kind), memory_order_name(order.written),
        suffices(order), printable(order.where.text));
  return text;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", with_commas(number), what, number == 1 ? "" : "s");
}

}  // namespace

std::string weakening_table(const Result& result, const TextStyle& style) {
  const Weakening& weakening = result.weakening;
  if (!weakening.asked) return {};
  if (result.verdict != Verdict::kVerified)
    return "--weaken needs a verified program: no memory order was tried\n";
  if (weakening.orders.empty() && weakening.stopped.empty())
    return "--weaken: no line of the program has an order that could be weaker\n";
  std::string text;
  if (!weakening.orders.empty())
    text = "\nMemory orders that suffice for this test\n" + rows(weakening, style);
  if (!weakening.stopped.empty())
    text += "not all was tried: " + printable_lines(weakening.stopped) + "\n";
  const auto weaker =
      static_cast<std::uint64_t>(std::ranges::count_if(weakening.orders, &WeakerOrder::is_weaker));
  if (weaker == 0)
    return text + "none can be weaker: the proof above is for the orders as they are\n";
  return text +
         fmt::format(
             "verified again with these orders, all together: {}, {}, {} ({})\n"
             "That holds for this test alone: other uses of the code may need stronger orders.\n",
             counted(weakening.proof.total(), "execution"),
             counted(weakening.proof.events, "event"), duration(weakening.proof_seconds),
             counted(weakening.runs, "exploration"));
}

}  // namespace mazur
