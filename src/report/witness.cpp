#include "report/witness.h"

#include <fmt/format.h>

#include <string_view>

#include "mazur_version.h"
#include "report/printable.h"

namespace mazur {
namespace {

struct Key {
  std::string_view id, of, type;
};
constexpr Key kKeys[] = {
    {"witness-type", "graph", "string"}, {"sourcecodelang", "graph", "string"},
    {"producer", "graph", "string"},     {"specification", "graph", "string"},
    {"programfile", "graph", "string"},  {"programhash", "graph", "string"},
    {"architecture", "graph", "string"}, {"creationtime", "graph", "string"},
    {"entry", "node", "boolean"},        {"violation", "node", "boolean"},
    {"threadId", "edge", "int"},         {"createThread", "edge", "int"},
    {"startline", "edge", "int"},        {"enterFunction", "edge", "string"},
    {"assumption", "edge", "string"},    {"assumption.resultfunction", "edge", "string"},
};

std::string data(std::string_view key, std::string_view value) {
  return fmt::format("<data key=\"{}\">{}</data>", key, markup(value));
}

std::string data(std::string_view key, std::uint64_t value) {
  return data(key, std::to_string(value));
}

std::string node(std::size_t number, std::string_view mark) {
  if (mark.empty()) return fmt::format("    <node id=\"N{}\"/>\n", number);
  return fmt::format("    <node id=\"N{}\">{}</node>\n", number, data(mark, "true"));
}

std::string edge(std::size_t from, const std::string& contents) {
  return fmt::format("    <edge source=\"N{}\" target=\"N{}\">{}</edge>\n", from, from + 1,
                     contents);
}

// The input function that an event is the choice of: its integer value is what the event wrote.
std::string input_function(const Finding& finding, std::size_t event) {
  const Record& record = finding.record;
  if (record.events[event].label.kind != OpKind::kChoose || event >= record.event_stacks.size())
    return {};
  for (const Frame& frame : finding.places.stack(record.event_stacks[event], true)) {
    const std::string_view name =
        std::string_view(frame.function).substr(0, frame.function.find('('));
    const bool integer = name.starts_with("__VERIFIER_nondet_") && !name.ends_with("_float") &&
                         !name.ends_with("_double") && !name.ends_with("_pointer") &&
                         !name.ends_with("_pchar") && !name.ends_with("_charp");
    if (integer) return std::string(name);
  }
  return {};
}

std::string event_data(const Finding& finding, std::size_t event) {
  const Event& e = finding.record.events[event];
  std::string contents = data("threadId", e.thread);
  if (event == 0) contents += data("enterFunction", "main");
  if (const Frame where = finding.places.where(finding.record, event); where.line != 0)
    contents += data("startline", where.line);
  if (e.label.kind == OpKind::kCreate) contents += data("createThread", e.label.object);
  if (const std::string function = input_function(finding, event); !function.empty())
    contents += data("assumption",
                     fmt::format("\\result == {};", static_cast<std::int64_t>(e.label.written))) +
                data("assumption.resultfunction", function);
  return contents;
}

std::string path_of(const Finding& finding) {
  const Record& record = finding.record;
  std::string nodes = node(0, "entry"), edges;
  for (std::size_t i = 0; i < record.events.size(); ++i) {
    edges += edge(i, event_data(finding, i));
    nodes += node(i + 1, "");
  }
  // The last step is the failing one, from its thread's last event to the place of the error.
  const std::size_t last = record.events.size();
  std::string contents = data("threadId", record.thread == kNoThread ? 0 : record.thread);
  if (const Frame where = finding.places.where(record.stack); where.line != 0)
    contents += data("startline", where.line);
  return nodes + node(last + 1, "violation") + edges + edge(last, contents);
}

}  // namespace

std::string witness_graphml(const Witness& witness) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
      "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
  for (const Key& key : kKeys)
    text += fmt::format("  <key attr.name=\"{0}\" attr.type=\"{1}\" for=\"{2}\" id=\"{0}\"/>\n",
                        key.id, key.type, key.of);
  text += "  <graph edgedefault=\"directed\">\n";
  const bool violated = witness.violation != nullptr;
  for (const auto& [key, value] : std::initializer_list<std::pair<std::string_view, std::string>>{
           {"witness-type", violated ? "violation_witness" : "correctness_witness"},
           {"sourcecodelang", "C"},
           {"producer", fmt::format("Mazur {}", kVersion)},
           {"specification", witness.specification},
           {"programfile", witness.program},
           {"programhash", witness.program_hash},
           {"architecture", "64bit"},
           {"creationtime", witness.creation_time}})
    text += "    " + data(key, value) + "\n";
  text += violated ? path_of(*witness.violation) : node(0, "entry");
  return text + "  </graph>\n</graphml>\n";
}

}  // namespace mazur
