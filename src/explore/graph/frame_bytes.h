// Frames of the search over execution graphs as bytes, for another process that has the same program.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/graph/frame.h"

namespace mazur {

std::string encode_frames(std::span<const GraphFrame* const> frames);

// `make_graph`: an empty graph of the search that is to go on. Nothing if these are no frames:
// whatever comes out can be explored without reading outside of it.
std::optional<std::vector<GraphFrame>> decode_frames(
    std::span<const char> bytes, const std::function<ExecutionGraph()>& make_graph);

}  // namespace mazur
