#include "machine/dlang/evaluate.h"

namespace mazur::dlang {
namespace {

// Every level of nesting leaves at most one operand waiting.
constexpr unsigned kStack = kMaxNesting + 28;

std::int64_t element_of(const Array& array, Variables variables, std::uint64_t element) {
  switch (array.storage) {
    case Storage::kGlobal:
      return variables.globals[array.base + element];
    case Storage::kLocal:
      return variables.locals[array.base + element];
    default:
      return array.initial[element];
  }
}

}  // namespace

std::string Fault::describe(const Program& program) const {
  if (kind == Kind::kDivision) return "division by zero";
  const Array& a = program.arrays[array];
  return "index " + std::to_string(index) + " is out of range: '" + a.name + "' has " +
         std::to_string(a.length) + (a.length == 1 ? " element" : " elements");
}

std::int64_t calculate(NodeKind op, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  switch (op) {
    case NodeKind::kAdd:
      return static_cast<std::int64_t>(a + b);
    case NodeKind::kSub:
      return static_cast<std::int64_t>(a - b);
    case NodeKind::kMul:
      return static_cast<std::int64_t>(a * b);
    case NodeKind::kDiv:
      return right == -1 ? static_cast<std::int64_t>(0 - a) : left / right;
    case NodeKind::kMod:
      return right == -1 ? 0 : left % right;
    default:
      return 0;
  }
}

bool evaluate(const Program& program, Expression expression, Variables variables,
              std::int64_t& value, Fault& fault) {
  std::int64_t stack[kStack];
  unsigned top = 0;
  for (std::uint32_t i = expression.begin; i < expression.end; ++i) {
    const Node& node = program.nodes[i];
    switch (node.kind) {
      case NodeKind::kConstant:
        stack[top++] = node.value;
        break;
      case NodeKind::kElement: {
        const Array& array = program.arrays[node.array];
        std::int64_t element = node.value;
        if (node.indexed) {
          element = stack[--top];
          if (element < 0 || element >= array.length) {
            fault = {Fault::Kind::kIndex, node.at, node.array, element};
            return false;
          }
        }
        stack[top++] = element_of(array, variables, static_cast<std::uint64_t>(element));
        break;
      }
      default: {
        const std::int64_t right = stack[--top];
        if (right == 0 && (node.kind == NodeKind::kDiv || node.kind == NodeKind::kMod)) {
          fault = {Fault::Kind::kDivision, node.at, 0, 0};
          return false;
        }
        stack[top - 1] = calculate(node.kind, stack[top - 1], right);
      }
    }
  }
  value = stack[0];
  return true;
}

bool locate(const Program& program, const Place& place, Variables variables, std::uint32_t& element,
            Fault& fault) {
  const Array& array = program.arrays[place.array];
  std::int64_t index = place.element;
  if (!place.index.empty()) {
    if (!evaluate(program, place.index, variables, index, fault)) return false;
    if (index < 0 || index >= array.length) {
      fault = {Fault::Kind::kIndex, place.at, place.array, index};
      return false;
    }
  }
  element = array.base + static_cast<std::uint32_t>(index);
  return true;
}

}  // namespace mazur::dlang
