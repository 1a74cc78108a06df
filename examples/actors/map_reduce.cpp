// Map-reduce: mappers take a part of the text each and send every word to the reducer it belongs
// to; reducers add up.
//
//   mazur check examples/actors/map_reduce.cpp -std=c++20
//
// Whatever the order in which the words arrive, the counts are the same. -DMAPPERS and -DREDUCERS
// change the size.
#include <mazur/mailbox.h>

#include <cassert>
#include <map>
#include <string>
#include <variant>
#include <vector>

#ifndef MAPPERS
#define MAPPERS 2
#endif
#ifndef REDUCERS
#define REDUCERS 2
#endif

namespace mz = mazur;

struct occurrence {
  std::string word;
};
struct end_of_text {};
using to_reducer = std::variant<occurrence, end_of_text>;
using counts = std::map<std::string, int>;

const std::vector<std::string> parts[] = {{"map", "reduce"}, {"map", "sort"}, {"sort", "map"}};

std::size_t reducer_of(const std::string& word) { return word.size() % REDUCERS; }

void mapper(const std::vector<std::string>& text,
            const std::vector<mz::address<to_reducer>>& reducers) {
  for (const std::string& word : text) reducers[reducer_of(word)].send(occurrence{word});
  for (const auto& r : reducers) r.send(end_of_text{});
}

void reducer(mz::mailbox<to_reducer>& self, const mz::address<counts>& result) {
  counts mine;
  for (int left = MAPPERS; left > 0;)
    left -= self.match(
        [&](const occurrence& o) {
          ++mine[o.word];
          return 0;
        },
        [](end_of_text) { return 1; });
  result.send(mine);
}

int main() {
  mz::mailbox<counts> inbox("main");
  std::vector<mz::address<to_reducer>> reducers;
  for (int r = 0; r < REDUCERS; ++r)
    reducers.push_back(
        mz::spawn<to_reducer>("reducer " + std::to_string(r), [result = inbox.self()](
                                                                  mz::mailbox<to_reducer>& self) {
          reducer(self, result);
        }).address());
  for (int m = 0; m < MAPPERS; ++m)
    mz::spawn("mapper " + std::to_string(m), [m, reducers] { mapper(parts[m], reducers); });
  counts all, expected;
  for (int r = 0; r < REDUCERS; ++r) all.merge(inbox.receive());
  for (int m = 0; m < MAPPERS; ++m)
    for (const std::string& word : parts[m]) ++expected[word];
  assert(all == expected);
}
