#include "schema.h"

#include <fstream>

namespace mazur::test {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kReference = "#/$defs/";

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return false;
}

void collect(const Json& rule, const std::string& name, std::set<std::string>& fields) {
  if (!rule.is_object()) return;
  if (rule.contains("properties")) {
    for (const auto& [key, inner] : rule["properties"].items()) {
      fields.insert(name + "/" + key);
      collect(inner, name + "/" + key, fields);
    }
  }
  if (rule.contains("items")) collect(rule["items"], name, fields);
}

}  // namespace

Schema::Schema(const std::string& file) {
  std::ifstream in(file);
  root_ = Json::parse(in);
}

std::vector<std::string> Schema::violations(const Json& value) {
  found_.clear();
  const std::set<std::string> before = met_;
  check(root_, "", value, "");
  if (!found_.empty()) met_ = before;
  return found_;
}

std::set<std::string> Schema::fields() const {
  std::set<std::string> fields;
  collect(root_, "", fields);
  if (root_.contains("$defs"))
    for (const auto& [key, rule] : root_["$defs"].items()) collect(rule, "$defs/" + key, fields);
  return fields;
}

void Schema::fail(const std::string& at, const std::string& what) {
  found_.push_back((at.empty() ? "the whole" : at) + ": " + what);
}

void Schema::check(const Json& rule, const std::string& name, const Json& value,
                   const std::string& at) {
  for (const auto& [keyword, asked] : rule.items()) {
    if (keyword == "type") {
      if (!has_type(value, asked)) fail(at, "is no " + asked.get<std::string>());
    } else if (keyword == "const") {
      if (value != asked) fail(at, "is not " + asked.dump());
    } else if (keyword == "enum") {
      if (std::find(asked.begin(), asked.end(), value) == asked.end())
        fail(at, value.dump() + " is not allowed");
    } else if (keyword == "minimum") {
      if (value.is_number() && value < asked) fail(at, "is less than " + asked.dump());
    } else if (keyword == "maximum") {
      if (value.is_number() && value > asked) fail(at, "is more than " + asked.dump());
    } else if (keyword == "$ref") {
      const std::string target = asked;
      if (!target.starts_with(kReference)) {
        fail(at, "the schema refers to " + target);
        continue;
      }
      const std::string def = target.substr(kReference.size());
      check(root_.at("$defs").at(def), "$defs/" + def, value, at);
    } else if (keyword == "properties") {
      if (value.is_object()) check_object(rule, name, value, at);
    } else if (keyword == "additionalProperties") {
      if (value.is_object() && !rule.contains("properties")) check_object(rule, name, value, at);
    } else if (keyword == "items") {
      if (value.is_array()) check_array(rule, name, value, at);
    } else if (keyword == "required") {
      for (const std::string key : asked)
        if (value.is_object() && !value.contains(key)) fail(at, "has no " + key);
    } else if (keyword != "minItems" && keyword != "maxItems" && keyword != "uniqueItems" &&
               keyword != "$defs" && keyword != "$schema" && keyword != "title" &&
               keyword != "description") {
      fail(at, "the schema has the unknown keyword " + keyword);
    }
  }
}

void Schema::check_object(const Json& rule, const std::string& name, const Json& value,
                          const std::string& at) {
  // Not copied: large results are checked again and again.
  const auto known = rule.find("properties");
  const auto others = rule.find("additionalProperties");
  for (const auto& [key, inner] : value.items()) {
    const std::string where = at + "/" + key;
    const std::string field = name + "/" + key;
    if (known != rule.end() && known->contains(key)) {
      met_.insert(field);
      check((*known)[key], field, inner, where);
    } else if (others != rule.end() && others->is_object()) {
      check(*others, name, inner, where);
    } else if (others != rule.end() && *others == false) {
      fail(where, "the schema has no such field");
    }
  }
}

void Schema::check_array(const Json& rule, const std::string& name, const Json& value,
                         const std::string& at) {
  if (value.size() < rule.value("minItems", std::size_t{0})) fail(at, "has too few items");
  if (rule.contains("maxItems") && value.size() > rule["maxItems"].get<std::size_t>())
    fail(at, "has too many items");
  if (rule.value("uniqueItems", false))
    for (std::size_t i = 0; i < value.size(); ++i)
      if (std::find(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(i), value[i]) !=
          value.begin() + static_cast<std::ptrdiff_t>(i))
        fail(at, "has an item twice");
  for (std::size_t i = 0; i < value.size(); ++i)
    check(rule["items"], name, value[i], at + "/" + std::to_string(i));
}

}  // namespace mazur::test
