// A dlang program, ready to run: what the parser makes and the machine interprets.
//
// docs/dlang.md describes the language. Every process is a list of statements with jumps; names are
// resolved, `$` is replaced, and expressions of constants are worked out.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "trace/label.h"

namespace mazur::dlang {

// Where something stands in the source, both from 1.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

// A position as the program counter of labels and stacks; columns beyond 4095 count as that.
constexpr std::uint64_t to_pc(Position at) {
  return std::uint64_t{at.line} << 12 | (at.column < 4095 ? at.column : 4095);
}
constexpr Position from_pc(std::uint64_t pc) {
  return {static_cast<std::uint32_t>(pc >> 12), static_cast<std::uint32_t>(pc & 4095)};
}

// Bounds on programs, so that no text can make us run out of memory or time.
inline constexpr std::size_t kMaxSource = 1u << 20;      // characters
inline constexpr std::size_t kMaxExpanded = 16u << 20;   // characters, repetitions written out
inline constexpr std::size_t kMaxTokens = 500000;        // likewise
inline constexpr unsigned kMaxNesting = 100;             // of parentheses, indices and blocks
inline constexpr std::uint64_t kMaxRepetitions = 10000;  // of one block
inline constexpr std::uint64_t kMaxThreads = 256;
inline constexpr std::uint64_t kMaxElements = 65536;  // of all variables, local ones per process

// What is wrong with the text of a program: one sentence without a full stop.
class SyntaxError : public std::runtime_error {
 public:
  SyntaxError(Position at, const std::string& what) : std::runtime_error(what), at_(at) {}
  Position at() const { return at_; }

 private:
  Position at_;
};

enum class Storage : std::uint8_t { kGlobal, kLocal, kConst, kMutex };

struct Array {
  std::string name;
  Storage storage = Storage::kGlobal;
  std::uint32_t base = 0;  // its first element among those of its storage
  std::uint32_t length = 0;
  std::vector<std::int64_t> initial;
  Position at;
};

// Expressions are kept in postfix order.
enum class NodeKind : std::uint8_t {
  kConstant,  // value
  kElement,   // of `array`: number `value`, or the one that the index on the stack says
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
};
struct Node {
  NodeKind kind = NodeKind::kConstant;
  bool indexed = false;
  std::uint32_t array = 0;
  std::int64_t value = 0;
  Position at;
};
// The nodes [begin, end) of the program.
struct Expression {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool empty() const { return begin == end; }
};

// A variable or an element of an array that is assigned, locked or awaited.
struct Place {
  std::uint32_t array = 0;
  std::uint32_t element = 0;
  Expression index;  // if not empty, says which element
  Position at;
};

enum class Relation : std::uint8_t {
  kLess,
  kGreater,
  kEqual,
  kNotEqual,
  kLessEqual,
  kGreaterEqual,
};
bool holds(Relation relation, std::int64_t left, std::int64_t right);
std::string_view symbol(Relation relation);

enum class StatementKind : std::uint8_t {
  kAssign,  // target := left
  kTest,    // if not (left relation right), go to `jump`
  kJump,
  kCas,      // comp_swap(target, left, right); its success to `result`, if there is one
  kIndexer,  // the loop of the indexer, one compare-and-swap after the other
  kAssert,   // left relation right
  kAwait,    // target relation right
  kLock,
  kUnlock,
};

// A mention of a global variable in a statement.
struct Site {
  Place place;
  bool written = false;
  bool moving = false;  // the index depends on global variables: any element, until it runs
};

// The variables that an `indexer` statement names, besides its target.
struct IndexerNames {
  Place max, size, m, w, h;
  std::int64_t factor = 0;  // `nprocs`
};

struct Statement {
  StatementKind kind = StatementKind::kJump;
  Relation relation = Relation::kEqual;
  bool has_result = false;
  bool reads = false;       // some global variable
  bool writes = false;      // some global variable
  bool plain = true;        // apart from the target, everything is local
  std::uint32_t jump = 0;   // an index into the process, at most its size
  std::uint32_t extra = 0;  // kIndexer: into Program::indexers
  Place target;
  Place result;
  Expression left, right;
  std::uint32_t first_site = 0, last_site = 0;  // Program::sites [first, last)
  Position at;
  std::uint32_t text_begin = 0, text_end = 0;  // kAssert: the condition, in the source
};

struct Process {
  std::vector<Statement> code;
  Position at;
};

struct Program {
  std::string name;    // as declared, or empty
  std::string source;  // the text it was made from
  std::vector<Array> arrays;
  std::vector<Process> processes;
  std::vector<Node> nodes;
  std::vector<Site> sites;
  std::vector<IndexerNames> indexers;
  // How many elements there are: in common, for each process, and of mutexes.
  std::uint32_t globals = 0, locals = 0, mutexes = 0;

  // "x", "table[3]", "m": a name in labels, or "" if it is none of this program's.
  std::string object_name(ObjectId object) const;
  // The text of a line (from 1), without what surrounds it.
  std::string line(std::uint32_t number) const;
};

// Names of objects in labels. Never 0; elements are 8 bytes apart.
inline constexpr ObjectId kFirstElement = 0x1000;
inline constexpr ObjectId kFirstMutex = 0x10000000;
inline constexpr std::uint32_t kElementSize = sizeof(std::int64_t);
constexpr ObjectId element_id(std::uint64_t element) {
  return kFirstElement + element * kElementSize;
}
// A value as labels have it.
constexpr std::uint64_t bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }
constexpr ObjectId mutex_id(std::uint64_t mutex) { return kFirstMutex + mutex; }

}  // namespace mazur::dlang
