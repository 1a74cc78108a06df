// nlohmann's templates as the tests use them are compiled once, in json_templates.cpp, and not in every test again.
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#define MAZUR_JSON_TEMPLATES(kind)                                                             \
  kind class nlohmann::basic_json<>;                                                           \
  kind class nlohmann::detail::serializer<nlohmann::json>;                                     \
  kind class nlohmann::detail::parser<                                                         \
      nlohmann::json, nlohmann::detail::iterator_input_adapter<std::string::const_iterator>>;  \
  kind class nlohmann::detail::lexer<                                                          \
      nlohmann::json, nlohmann::detail::iterator_input_adapter<std::string::const_iterator>>;  \
  kind class nlohmann::detail::parser<nlohmann::json, nlohmann::detail::input_stream_adapter>; \
  kind class nlohmann::detail::lexer<nlohmann::json, nlohmann::detail::input_stream_adapter>;  \
  kind class std::map<std::string, nlohmann::json, std::less<void>>;                           \
  kind class std::vector<nlohmann::json>;

MAZUR_JSON_TEMPLATES(extern template)
