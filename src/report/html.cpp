#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "report/findings/relevant.h"
#include "report/messages.h"
#include "report/orders/old_values.h"
#include "report/printable.h"
#include "report/schedule_table.h"
#include "report/text.h"

namespace mazur {
namespace {

constexpr std::size_t kMostRows = 300;  // more steps: only those that matter
constexpr int kRow = 30, kLane = 270, kLeft = 60, kTop = 44, kBox = 22;
constexpr int kGap = 22;         // between a box and the edge of its lane
constexpr int kCharacters = 30;  // that fit into a box

constexpr std::string_view kStyle = R"(
  body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; color: #222; background: #fff; }
  h1 { font-size: 1.3em; } pre { background: #f6f6f4; padding: 1em; overflow-x: auto; }
  .picture { overflow-x: auto; } svg text { font: 12px ui-monospace, monospace; fill: #222; }
  svg .thread { font-weight: bold; } svg .step, svg .source { fill: #777; }
  svg .lane { stroke: #ddd; } svg .box { fill: #eef3fa; stroke: #9db4d3; }
  svg .end { fill: #fbe3e3; stroke: #c33; } svg .edge { fill: none; stroke: #999; }
  svg .message { fill: none; stroke: #1668b8; stroke-width: 1.6; }
  svg .old { fill: #fff3d6; stroke: #b8770b; stroke-dasharray: 4 2; }
  svg .unseen { fill: none; stroke: #b8770b; stroke-dasharray: 4 3; }
  .old-values { color: #8a5700; font-family: monospace; white-space: pre-wrap; }
)";

std::string cut(const std::string& text, std::size_t room) {
  return text.size() <= room ? text : text.substr(0, room - 1) + "~";
}

class Picture {
 public:
  explicit Picture(const Finding& finding)
      : finding_(finding), events_(finding.record.events), arrows_(events_) {
    std::vector<bool> shown(events_.size(), true);
    if (events_.size() > kMostRows) shown = steps_that_matter(finding.record);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (!shown[i]) continue;
      row_[i] = static_cast<int>(rows_.size());
      rows_.push_back(i);
      lane_.try_emplace(events_[i].thread, 0);
    }
    int n = 0;
    for (auto& [thread, lane] : lane_) lane = n++;
    for (const OldValue& old : old_values(finding.record, finding.places))
      old_.emplace(old.event, old);
  }

  std::string svg() const {
    const int lanes = static_cast<int>(lane_.size());
    const int height = kTop + kRow * static_cast<int>(rows_.size()) + 10;
    const int source = kLeft + kLane * lanes + 10;
    std::string out = fmt::format(
        "<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\">\n<defs>{2}{3}{4}</defs>\n",
        source + 640, height, marker("edge-end", "#999"), marker("message-end", "#1668b8"),
        marker("unseen-end", "#b8770b"));
    for (const auto& [thread, lane] : lane_)
      out += fmt::format(
          "<text class=\"thread\" x=\"{0}\" y=\"20\" text-anchor=\"middle\">{1}</text>"
          "<line class=\"lane\" x1=\"{0}\" y1=\"30\" x2=\"{0}\" y2=\"{2}\"/>\n",
          middle(thread), markup(thread_name(finding_.record, thread)), height);
    for (const std::size_t i : rows_) out += edges_from(i);
    for (const std::size_t i : rows_) out += box(i, source);
    return out + "</svg>\n";
  }

  std::size_t left_out() const { return events_.size() - rows_.size(); }

 private:
  static std::string marker(std::string_view id, std::string_view color) {
    return fmt::format(
        "<marker id=\"{}\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" "
        "orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"{}\"/></marker>",
        id, color);
  }

  int middle(ThreadId thread) const { return kLeft + lane_.at(thread) * kLane + kLane / 2; }
  int y(std::size_t event) const { return kTop + row_.at(event) * kRow; }

  std::string box(std::size_t i, int source) const {
    const Event& event = events_[i];
    std::string what = is_message(event.label) ? arrows_.describe(i, finding_.places)
                                               : describe_event(event, finding_.places);
    const Frame where = finding_.places.where(finding_.record, i);
    const int x = middle(event.thread) - kLane / 2 + kGap;
    const auto old = old_.find(i);
    const std::string suffix = old != old_.end() && old->second.stale ? ", old" : "";
    const std::string shown = cut(what, kCharacters - suffix.size()) + suffix;
    if (old != old_.end()) what = old->second.sentence;
    std::string out = fmt::format(
        "<g><title>{0}</title><text class=\"step\" x=\"{1}\" y=\"{2}\" text-anchor=\"end\">{3}"
        "</text><rect class=\"box{4}{11}\" x=\"{5}\" y=\"{6}\" width=\"{7}\" height=\"{8}\" "
        "rx=\"4\"/>"
        "<text x=\"{9}\" y=\"{2}\">{10}</text>",
        markup(what), kLeft - 14, y(i) + 15, i + 1, i + 1 == events_.size() ? " end" : "", x, y(i),
        kLane - 2 * kGap, kBox, x + 6, markup(shown), old != old_.end() ? " old" : "");
    if (where.line != 0)
      out += fmt::format("<text class=\"source\" x=\"{}\" y=\"{}\">{}:{}  {}</text>", source,
                         y(i) + 15, markup(where.file.substr(where.file.rfind('/') + 1)),
                         where.line, markup(where.text));
    return out + "</g>\n";
  }

  // A curve from the right edge of one box, or from its left one, to the nearer edge of another.
  std::string edge(std::size_t from, std::size_t to, std::string_view kind) const {
    if (!row_.contains(from) || !row_.contains(to) || events_[from].thread == events_[to].thread)
      return {};
    const int half = kLane / 2 - kGap;
    const int direction = middle(events_[to].thread) > middle(events_[from].thread) ? 1 : -1;
    const int x1 = middle(events_[from].thread) + direction * half;
    const int x2 = middle(events_[to].thread) - direction * half;
    return fmt::format(
        "<path class=\"{0}\" marker-end=\"url(#{0}-end)\" d=\"M{1},{2} C{3},{2} {4},{5} {6},{5}\"/>"
        "\n",
        kind, x1, y(from) + kBox / 2, x1 + direction * 30, x2 - direction * 30, y(to) + kBox / 2,
        x2);
  }

  std::string edges_from(std::size_t i) const {
    const Label& label = events_[i].label;
    const auto child = static_cast<ThreadId>(label.object);
    const auto of_child = [&](const Event& e) { return e.thread == child; };
    if (label.kind == OpKind::kCreate) {
      const auto first = std::find_if(events_.begin(), events_.end(), of_child);
      return first == events_.end()
                 ? ""
                 : edge(i, static_cast<std::size_t>(first - events_.begin()), "edge");
    }
    if (label.kind == OpKind::kJoin) {
      const auto last = std::find_if(events_.rbegin(), events_.rend(), of_child);
      return last == events_.rend()
                 ? ""
                 : edge(static_cast<std::size_t>(events_.rend() - last) - 1, i, "edge");
    }
    if (const auto old = old_.find(i); old != old_.end() && old->second.stale)
      return edge(old->second.newer, i, "unseen");
    const std::size_t to = arrows_.receiver(i);
    return to == events_.size() ? "" : edge(i, to, "message");
  }

  const Finding& finding_;
  const std::vector<Event>& events_;
  Arrows arrows_;
  std::vector<std::size_t> rows_;   // events that are shown
  std::map<std::size_t, int> row_;  // of an event that is shown
  std::map<ThreadId, int> lane_;
  std::map<std::size_t, OldValue> old_;  // by event
};

}  // namespace

std::string html_finding(const Finding& raw) {
  const Finding finding = printable(raw);
  const std::string text = text_finding(finding, {});
  const std::string title = text.substr(0, text.find('\n'));
  const Picture picture(finding);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\"><title>{0}</title>\n"
      "<style>{1}</style></head>\n<body>\n<h1>{0}</h1>\n<p>{2}.",
      markup(title), kStyle, markup(schedule_heading(finding.record)));
  if (picture.left_out() != 0)
    page += fmt::format(" {} steps that the error does not depend on are left out.",
                        with_commas(picture.left_out()));
  page += "</p>\n";
  if (const std::string old = in_words(old_values(finding.record, finding.places)); !old.empty())
    page += "<p class=\"old-values\">" + markup(old) + "</p>\n";
  page += "<div class=\"picture\">\n" + picture.svg() + "</div>\n<pre>" + markup(text);
  return page + "</pre>\n</body>\n</html>\n";
}

}  // namespace mazur
