#include "report/findings/trace_file.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/hash.h"
#include "report/findings/files.h"

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

// The header is JSON, but not as header_json() makes it.
struct Damaged {};

// A number that is whole and fits. (nlohmann's own conversion would cast any number to any type.)
template <typename T>
T number_of(const Json& json) {
  if (std::is_signed_v<T> && json.is_number_integer() && !json.is_number_unsigned())
    return static_cast<T>(json.get<std::int64_t>());
  if (!json.is_number_unsigned() ||
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
    throw Damaged();
  return static_cast<T>(json.get<std::uint64_t>());
}

// A text that may become an argument of a system call: what follows a zero byte would be lost.
std::string word_of(const Json& json) {
  auto text = json.get<std::string>();
  if (text.find('\0') != std::string::npos) throw Damaged();
  return text;
}

std::vector<std::string> words_of(const Json& json) {
  if (!json.is_array()) throw Damaged();
  std::vector<std::string> words;
  for (const Json& word : json) words.push_back(word_of(word));
  return words;
}

Json files_json(const std::vector<RecordedFile>& files) {
  Json list = Json::array();
  for (const RecordedFile& file : files) list.push_back({{"path", file.path}, {"hash", file.hash}});
  return list;
}

std::vector<RecordedFile> files_of(const Json& json) {
  if (!json.is_array()) throw Damaged();
  std::vector<RecordedFile> files;
  for (const Json& file : json)
    files.push_back({word_of(file.at("path")), number_of<std::uint64_t>(file.at("hash"))});
  return files;
}

Frame frame_of(const Json& json) {
  return {.function = json.at("function").get<std::string>(),
          .file = json.at("file").get<std::string>(),
          .line = number_of<std::uint32_t>(json.at("line")),
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
    auto& frames = places.code[number_of<std::uint64_t>(entry.at("pc"))];
    for (const Json& frame : entry.at("frames")) frames.push_back(frame_of(frame));
  }
  for (const Json& entry : json.at("objects"))
    places.objects[number_of<std::uint64_t>(entry.at("address"))] =
        entry.at("name").get<std::string>();
  return places;
}

Json header_json(const TraceFile& file) {
  Json json;
  json["program"] = {{"path", file.program},
                     {"hash", file.program_hash},
                     {"arguments", file.arguments},
                     {"directory", file.directory}};
  if (!file.recipe.empty())
    json["build"] = {{"compiler", file.recipe.compiler},
                     {"directory", file.recipe.directory},
                     {"sources", files_json(file.recipe.sources)},
                     {"flags", file.recipe.flags},
                     {"objects", files_json(file.recipe.objects)}};
  json["options"] = {{"algorithm", file.algorithm},
                     {"isolation", static_cast<unsigned>(file.isolation)},
                     {"races", static_cast<unsigned>(file.races)},
                     {"loops", file.loops_wait ? 1u : 0u},
                     {"max_steps", file.max_steps},
                     {"suppressions", file.suppressions}};
  if (file.memory != MemoryModel::kSc) json["options"]["memory"] = memory_name(file.memory);
  if (file.timeouts != Timeouts::kAny)
    json["options"]["timeouts"] = static_cast<unsigned>(file.timeouts);
  if (file.nondet_given) json["options"]["nondet"] = {file.nondet_lowest, file.nondet_highest};
  if (file.property != Property::kNone)
    json["options"]["svcomp"] = {property_name(file.property), file.property_function};
  if (file.failed_checks) json["options"]["failed_checks"] = true;
  if (!file.finding.hint.empty()) json["hint"] = file.finding.hint;
  json["places"] = places_json(file.finding.places);
  return json;
}

Recipe recipe_of(const Json& json) {
  Recipe recipe{.compiler = word_of(json.at("compiler")),
                .directory = word_of(json.at("directory")),
                .sources = files_of(json.at("sources")),
                .flags = words_of(json.at("flags")),
                .objects = files_of(json.at("objects"))};
  if (recipe.sources.empty() || (recipe.compiler != "gcc" && recipe.compiler != "clang"))
    throw Damaged();
  return recipe;
}

void read_nondet(const Json& json, TraceFile& file) {
  file.nondet_given = true;
  file.nondet_lowest = number_of<std::int64_t>(json.at(0));
  file.nondet_highest = number_of<std::int64_t>(json.at(1));
  // As --nondet takes it.
  if (file.nondet_highest < file.nondet_lowest ||
      static_cast<std::uint64_t>(file.nondet_highest) -
              static_cast<std::uint64_t>(file.nondet_lowest) >=
          0xffff)
    throw Damaged();
}

MemoryModel memory_of(const Json& json) {
  const auto name = json.get<std::string>();
  for (std::size_t i = 0; i < kMemoryNames.size(); ++i)
    if (name == kMemoryNames[i]) return static_cast<MemoryModel>(i);
  throw Damaged();
}

void read_property(const Json& json, TraceFile& file) {
  const std::string name = word_of(json.at(0));
  for (const Property property :
       {Property::kUnreachCall, Property::kNoDataRace, Property::kNoDeadlock})
    if (name == property_name(property)) file.property = property;
  if (file.property == Property::kNone) throw Damaged();
  file.property_function = word_of(json.at(1));
}

// Throws Damaged or nlohmann's exceptions for anything that is not as header_json() makes it.
TraceFile header_of(const Json& json, unsigned version) {
  TraceFile file;
  file.version = version;
  const Json& program = json.at("program");
  file.program = word_of(program.at("path"));
  file.program_hash = number_of<std::uint64_t>(program.at("hash"));
  file.arguments = words_of(program.at("arguments"));
  file.directory = word_of(program.at("directory"));
  if (json.contains("build")) {
    if (version < 3)
      file.has_commands = true;
    else
      file.recipe = recipe_of(json.at("build"));
  }
  const Json& options = json.at("options");
  file.algorithm = options.at("algorithm").get<std::string>();
  file.isolation =
      number_of<unsigned>(options.at("isolation")) == 0 ? Isolation::kSnapshot : Isolation::kFork;
  file.races = static_cast<Races>(std::min(number_of<unsigned>(options.at("races")), 2u));
  // Before there was a choice, loops ran.
  file.loops_wait = options.contains("loops") && number_of<unsigned>(options.at("loops")) != 0;
  file.max_steps = number_of<std::uint64_t>(options.at("max_steps"));
  if (options.contains("suppressions")) file.suppressions = word_of(options.at("suppressions"));
  if (options.contains("timeouts"))
    file.timeouts =
        static_cast<Timeouts>(std::min(number_of<unsigned>(options.at("timeouts")), 2u));
  if (options.contains("memory")) file.memory = memory_of(options.at("memory"));
  if (options.contains("nondet")) read_nondet(options.at("nondet"), file);
  if (options.contains("svcomp")) read_property(options.at("svcomp"), file);
  if (options.contains("failed_checks"))
    file.failed_checks = options.at("failed_checks").get<bool>();
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
  return fmt::format("{}{}\n{:016x}\n", kMagic, kTraceVersion,
                     trace_checksum(kTraceVersion, body)) +
         body;
}

std::uint64_t trace_checksum(unsigned version, std::string_view body) {
  if (version < 3) return fnv1a(body);
  return fnv1a(fmt::format("{}{}\n{}", kMagic, version, body));
}

std::variant<TraceFile, std::string> decode_trace(std::span<const char> bytes) {
  std::string_view text(bytes.data(), bytes.size());
  if (!text.starts_with(kMagic)) return "is not a trace file of Mazur";
  text.remove_prefix(kMagic.size());
  const auto version = take_number(text, '\n');
  if (!version) return "is not a trace file of Mazur";
  if (*version < kOldestTraceVersion || *version > kTraceVersion)
    return fmt::format("is a trace file of version {}; this Mazur reads versions {} to {}",
                       *version, kOldestTraceVersion, kTraceVersion);
  const auto checksum = take_number(text, '\n', 16);
  if (!checksum) return "is damaged: it has no checksum";
  const std::string_view body = text;
  const auto header_size = take_number(text, ' ');
  const auto record_size = take_number(text, '\n');
  if (!header_size || !record_size || *header_size > text.size() ||
      *record_size > text.size() - *header_size)
    return "is truncated";
  if (*header_size + *record_size != text.size() ||
      trace_checksum(static_cast<unsigned>(*version), body) != *checksum)
    return "is damaged: its checksum is wrong";
  try {
    TraceFile file =
        header_of(Json::parse(text.substr(0, *header_size)), static_cast<unsigned>(*version));
    const RecordParts parts{
        .mentions = *version >= 4, .refs = *version >= 5, .epochs = *version >= 6};
    auto record = decode_record(text.substr(*header_size), parts);
    if (!record) return "is damaged: its record cannot be read";
    file.finding.record = *std::move(record);
    return file;
  } catch (const Json::exception&) {
  } catch (const Damaged&) {
  }
  return "is damaged: its header cannot be read";
}

}  // namespace mazur
