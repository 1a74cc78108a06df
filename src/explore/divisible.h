// An exploration that others can go on with, because what is left of it is plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mazur {

// Some explorers are one (Explorer::divisible). All of this happens between two executions.
class Divisible {
 public:
  virtual ~Divisible() = default;

  // Whether what is left can be handed on now.
  virtual bool can_divide() const = 0;
  // Gives all that is left away, in at most `parts` pieces that share nothing, in the order in which
  // it would have been explored. Nothing is left here then: the exploration is over. The first piece
  // is what would have come next; the others are those that are likely to be the largest.
  virtual std::vector<std::string> divide(std::size_t parts) = 0;
  // Takes a piece in the place of the whole program, before the first execution. Bytes are not
  // trusted: false if they are no piece.
  virtual bool take(std::span<const char> piece) = 0;
  // What was found out about the program that all pieces rely on, as bits. It only grows. Whoever
  // takes a piece must know what its giver did, and is told so first: learn(). If it finds out more,
  // what has been explored does not count, and everything begins again with what is known now.
  virtual std::uint32_t lessons() const = 0;
  virtual void learn(std::uint32_t lessons) = 0;
  // Which part of the whole program was explored here, as far as that can be estimated: that of all
  // who explore its pieces adds up to 1 in the end. 0: not known.
  virtual double explored() const { return 0; }
  // Whether what was taken has no execution.
  virtual bool is_empty() const = 0;
};

}  // namespace mazur
