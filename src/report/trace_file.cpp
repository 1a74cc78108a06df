#include "report/trace_file.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "report/files.h"

namespace mazur {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic = "mazur-trace ";

Json frame_json(const Frame& frame) {
  return {{"function", frame.function},
          {"file", frame.file},
          {"line", frame.line},
          {"text", frame.text},
          {"user", frame.user}};
}

Frame frame_of(const Json& json) {
  return {.function = json.at("function").get<std::string>(),
          .file = json.at("file").get<std::string>(),
          .line = json.at("line").get<std::uint32_t>(),
          .text = json.at("text").get<std::string>(),
          .user = json.at("user").get<bool>()};
}

Json places_json(const Places& places) {
  Json code = Json::array();
  for (const auto& [pc, frames] : places.code) {
    Json list = Json::array();
    for (const Frame& frame : frames) list.push_back(frame_json(frame));
    code.push_back({{"pc", pc}, {"frames", std::move(list)}});
  }
  Json objects = Json::array();
  for (const auto& [address, name] : places.objects)
    objects.push_back({{"address", address}, {"name", name}});
  return {{"code", std::move(code)}, {"objects", std::move(objects)}};
}

Places places_of(const Json& json) {
  Places places;
  for (const Json& entry : json.at("code")) {
    auto& frames = places.code[entry.at("pc").get<std::uint64_t>()];
    for (const Json& frame : entry.at("frames")) frames.push_back(frame_of(frame));
  }
  for (const Json& entry : json.at("objects"))
    places.objects[entry.at("address").get<std::uint64_t>()] = entry.at("name").get<std::string>();
  return places;
}

Json header_json(const TraceFile& file) {
  Json json;
  json["program"] = {{"path", file.program},
                     {"hash", file.program_hash},
                     {"arguments", file.arguments},
                     {"directory", file.directory}};
  if (!file.recipe.empty())
    json["build"] = {{"directory", file.recipe.directory},
                     {"compile", file.recipe.compile},
                     {"link", file.recipe.link},
                     {"output", file.recipe.output}};
  json["options"] = {{"algorithm", file.algorithm},
                     {"isolation", static_cast<unsigned>(file.isolation)},
                     {"races", static_cast<unsigned>(file.races)},
                     {"loops", file.loops_wait ? 1u : 0u},
                     {"max_steps", file.max_steps},
                     {"suppressions", file.suppressions}};
  if (file.nondet_given) json["options"]["nondet"] = {file.nondet_lowest, file.nondet_highest};
  if (file.property != Property::kNone)
    json["options"]["svcomp"] = {property_name(file.property), file.property_function};
  if (!file.finding.hint.empty()) json["hint"] = file.finding.hint;
  json["places"] = places_json(file.finding.places);
  return json;
}

// Throws nlohmann's exceptions for anything that is not as header_json() makes it.
TraceFile header_of(const Json& json) {
  TraceFile file;
  const Json& program = json.at("program");
  file.program = program.at("path").get<std::string>();
  file.program_hash = program.at("hash").get<std::uint64_t>();
  file.arguments = program.at("arguments").get<std::vector<std::string>>();
  file.directory = program.at("directory").get<std::string>();
  if (json.contains("build")) {
    const Json& build = json.at("build");
    file.recipe.directory = build.at("directory").get<std::string>();
    file.recipe.compile = build.at("compile").get<std::vector<std::vector<std::string>>>();
    file.recipe.link = build.at("link").get<std::vector<std::string>>();
    file.recipe.output = build.at("output").get<std::string>();
  }
  const Json& options = json.at("options");
  file.algorithm = options.at("algorithm").get<std::string>();
  file.isolation =
      options.at("isolation").get<unsigned>() == 0 ? Isolation::kSnapshot : Isolation::kFork;
  file.races = static_cast<Races>(std::min(options.at("races").get<unsigned>(), 2u));
  file.loops_wait = options.value("loops", 0u) != 0;  // before there was a choice, they ran
  file.max_steps = options.at("max_steps").get<std::uint64_t>();
  file.suppressions = options.value("suppressions", "");
  if (options.contains("nondet")) {
    file.nondet_given = true;
    file.nondet_lowest = options.at("nondet").at(0).get<std::int64_t>();
    file.nondet_highest = options.at("nondet").at(1).get<std::int64_t>();
  }
  if (options.contains("svcomp")) {
    const auto name = options.at("svcomp").at(0).get<std::string>();
    for (const Property property :
         {Property::kUnreachCall, Property::kNoDataRace, Property::kNoDeadlock})
      if (name == property_name(property)) file.property = property;
    file.property_function = options.at("svcomp").at(1).get<std::string>();
  }
  file.finding.hint = json.value("hint", "");
  file.finding.places = places_of(json.at("places"));
  return file;
}

// Takes a number in this base and the character after it off the front.
std::optional<std::uint64_t> take_number(std::string_view& text, char after, int base = 10) {
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  const auto used = static_cast<std::size_t>(stop - text.data());
  if (error != std::errc{} || used >= text.size() || text[used] != after) return std::nullopt;
  text.remove_prefix(used + 1);
  return value;
}

}  // namespace

std::string encode_trace(const TraceFile& file) {
  const std::string header =
      header_json(file).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  const std::string record = encode(file.finding.record);
  const std::string body = fmt::format("{} {}\n", header.size(), record.size()) + header + record;
  return fmt::format("{}{}\n{:016x}\n", kMagic, kTraceVersion, fnv1a(body)) + body;
}

std::variant<TraceFile, std::string> decode_trace(std::span<const char> bytes) {
  std::string_view text(bytes.data(), bytes.size());
  if (!text.starts_with(kMagic)) return "is not a trace file of Mazur";
  text.remove_prefix(kMagic.size());
  const auto version = take_number(text, '\n');
  if (!version) return "is not a trace file of Mazur";
  if (*version != kTraceVersion)
    return fmt::format("is a trace file of version {}; this Mazur reads version {}", *version,
                       kTraceVersion);
  const auto checksum = take_number(text, '\n', 16);
  if (!checksum) return "is damaged: it has no checksum";
  const std::string_view body = text;
  const auto header_size = take_number(text, ' ');
  const auto record_size = take_number(text, '\n');
  if (!header_size || !record_size || *header_size > text.size() ||
      *record_size > text.size() - *header_size)
    return "is truncated";
  if (*header_size + *record_size != text.size() || fnv1a(body) != *checksum)
    return "is damaged: its checksum is wrong";
  try {
    TraceFile file = header_of(Json::parse(text.substr(0, *header_size)));
    const auto record = decode_record(text.substr(*header_size));
    if (!record) return "is damaged: its record cannot be read";
    file.finding.record = *record;
    return file;
  } catch (const Json::exception&) {
    return "is damaged: its header cannot be read";
  }
}

}  // namespace mazur
