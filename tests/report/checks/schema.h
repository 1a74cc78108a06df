// A small validator of JSON Schemas: as much of it as the schemas of this project use. A keyword that it does not know
// is a violation itself, so that nothing in a schema goes unchecked.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace mazur::test {

class Schema {
 public:
  // The schema in this file; throws if there is none.
  explicit Schema(const std::string& file);

  // What is wrong with the value, with the place of each; nothing if it is valid.
  std::vector<std::string> violations(const nlohmann::json& value);

  // Every field of every object that the schema describes ("$defs/error/kind"), and those of them that values had which
  // were valid so far.
  std::set<std::string> fields() const;
  const std::set<std::string>& met() const { return met_; }

 private:
  using Json = nlohmann::json;
  void check(const Json& rule, const std::string& name, const Json& value, const std::string& at);
  void check_object(const Json& rule, const std::string& name, const Json& value,
                    const std::string& at);
  void check_array(const Json& rule, const std::string& name, const Json& value,
                   const std::string& at);
  void fail(const std::string& at, const std::string& what);

  Json root_;
  std::set<std::string> met_;
  std::vector<std::string> found_;
};

}  // namespace mazur::test
