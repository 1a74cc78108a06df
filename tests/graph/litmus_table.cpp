#include "litmus_table.h"

namespace mazur::litmus {

const std::vector<Row>& counted() {
  static const std::vector<Row> rows = {
      {"SB",
       {"store.release x0 1;load.acquire r0 x1", "store.release x1 1;load.acquire r0 x0"},
       {3, 4, 4, 4}},
      {"SB+3sc+acq", {"store x0 1;load r0 x1", "store x1 1;load.acquire r0 x0"}, {3, 3, 3, 4}},
      {"SB+3sc+rel", {"store x0 1;load r0 x1", "store.release x1 1;load r0 x0"}, {3, 4, 4, 4}},
      {"SB+rfis",
       {"store.release x0 1;load r0 x0;load r1 x1", "store.release x1 1;load r0 x1;load r1 x0"},
       {3, 4, 4, 4}},
      {"MP",
       {"store.release x0 1;store.release x1 1", "load.acquire r0 x1;load.acquire r1 x0"},
       {3, 3, 3, 3}},
      {"MP+rels+acq",
       {"store.relaxed x0 1;store.release x1 0;store.relaxed x1 1",
        "load.acquire r0 x1;if r0 == 0 goto 3;load.relaxed r1 x0"},
       {3, 3, 3, 4}},
      {"LB+incMPs",
       {"load.acquire r0 x0;fetch_add.acq_rel r1 x2 1",
        "fetch_add.acq_rel r1 x2 1;store.release x1 1",
        "load.acquire r0 x1;fetch_add.acq_rel r1 x3 1",
        "fetch_add.acq_rel r1 x3 1;store.release x0 1"},
       {15, 15, 15, 15}},
      {"2+2W",
       {"store.release x0 1;store.release x1 2", "store.release x1 1;store.release x0 2"},
       {3, 3, 3, 4}},
      {"2+2W+3sc+rel1", {"store x0 1;store x1 2", "store.release x1 1;store x0 2"}, {3, 3, 3, 4}},
      {"S",
       {"store.relaxed x0 2;store.relaxed x1 1", "load.relaxed r0 x1;store.relaxed x0 1"},
       {3, 3, 4, 4}},
      {"CoRR2",
       {"store.release x0 1", "store.release x0 2", "load.acquire r0 x0;load.acquire r1 x0",
        "load.acquire r0 x0;load.acquire r1 x0"},
       {72, 72, 72, 72}},
      {"fr+w+w+w+reads",
       {"store.relaxed x0 1", "store.relaxed x0 2", "store.relaxed x0 3",
        "load.relaxed r0 x0;load.relaxed r0 x0;load.relaxed r0 x0;load.relaxed r0 x0"},
       {210, 210, 210, 210}},
      {"IRIW-acq-sc",
       {"store x0 1", "load.acquire r0 x0;load r1 x1", "load.acquire r0 x1;load r1 x0",
        "store x1 1"},
       {15, 15, 15, 16}},
      {"IRIWish",
       {"store.relaxed x0 1", "load.relaxed r0 x0;store.release x1 r0",
        "load.relaxed r0 x0;fence.acq_rel;load.relaxed r1 x1",
        "load.relaxed r0 x1;fence.acq_rel;load.relaxed r1 x0"},
       {27, 27, 27, 28}},
      {"WRC+dep",
       {"store.relaxed x0 1", "load.relaxed r0 x0;store.relaxed x1 r0",
        "load.relaxed r0 x1;fence.acq_rel;load.relaxed r1 x0"},
       {7, 7, 7, 8}},
      {"isa2",
       {"store.relaxed x0 1;store.release x1 1", "load.acquire r0 x1;store.release x2 1",
        "load.acquire r0 x2;load.relaxed r1 x0"},
       {7, 7, 7, 7}},
      {"W+RWC",
       {"store.relaxed x0 1;store.release x2 1", "load.acquire r0 x2;fence;load.relaxed r1 x1",
        "store.relaxed x1 1;fence;load.relaxed r1 x0"},
       {7, 7, 7, 7}},
      {"Z6+acq",
       {"store.relaxed x0 1;fence;store.relaxed x1 1", "load.acquire r0 x1;store.relaxed x2 1",
        "store.relaxed x2 2;fence;load.relaxed r0 x0"},
       {7, 7, 7, 7}},
      {"Z6.U",
       {"store x0 1;store.release x1 1", "fetch_add r0 x1 1;load.relaxed r1 x1",
        "store x1 3;load r0 x0"},
       {18, 18, 18, 22}},
      {"WWmerge1",
       {"load.acquire r0 x0;load r1 x1", "store x0 1;store x0 2", "store x1 1;load r0 x0"},
       {15, 15, 15, 17}},
      {"relseq",
       {"store.relaxed x0 1;store.release x1 1;store.relaxed x1 2", "fetch_add.relaxed r0 x1 3",
        "load.relaxed r0 x1;fence.acq_rel;load.relaxed r1 x0"},
       {16, 16, 16, 20}},
      {"cii",
       {"cas.relaxed r0 x0 1 2", "fetch_add.relaxed r0 x0 1", "fetch_add.relaxed r0 x0 1"},
       {6, 6, 6, 6}},
      {"inc+inc+RR+W+RR",
       {"fetch_add.relaxed r0 x0 1", "fetch_add.relaxed r0 x0 1",
        "load.relaxed r0 x0;load.relaxed r0 x0", "store.relaxed x0 42",
        "load.relaxed r0 x0;load.relaxed r0 x0"},
       {600, 600, 600, 600}},
      {"casw(3)",
       {"cas.relaxed r0 x0 0 1;store.release x0 3", "cas.relaxed r0 x0 0 1;store.release x0 4",
        "cas.relaxed r0 x0 0 1;store.release x0 5"},
       {66, 66, 66, 66}},
      {"wrw(2)",
       {"store.release x0 1", "load.relaxed r0 x0;store.release x0 2",
        "load.relaxed r0 x0;store.release x0 3"},
       {22, 22, 22, 22}},
      {"wrw(4)",
       {"store.release x0 1", "load.relaxed r0 x0;store.release x0 2",
        "load.relaxed r0 x0;store.release x0 3", "load.relaxed r0 x0;store.release x0 4",
        "load.relaxed r0 x0;store.release x0 5"},
       {6576, 6576, 6576, 6576}},
      {"lockinc(3)",
       {"lock m0;load.relaxed r0 x0;store.relaxed x0 r0+1;unlock m0",
        "lock m0;load.relaxed r0 x0;store.relaxed x0 r0+1;unlock m0",
        "lock m0;load.relaxed r0 x0;store.relaxed x0 r0+1;unlock m0"},
       {6, 6, 6, 6}},
  };
  return rows;
}

namespace {

std::string access(const std::string& text, std::size_t way) {
  constexpr const char* kStore[] = {".relaxed", ".release", "", ".relaxed", ".relaxed"};
  constexpr const char* kLoad[] = {".relaxed", ".acquire", "", ".relaxed", ".relaxed"};
  return text[0] == 'W' ? std::string("store") + kStore[way] + text.substr(1)
                        : std::string("load") + kLoad[way] + text.substr(1);
}

using Rows = std::array<std::array<int, 4>, 5>;
constexpr std::array<int, 4> never(int n) { return {-n, -n, -n, -n}; }

}  // namespace

std::vector<std::string> in_the_way(const Shape& shape, std::size_t way) {
  std::vector<std::string> code;
  for (const std::vector<std::string>& thread : shape.code) {
    std::string lines;
    for (const std::string& text : thread) {
      if (!lines.empty()) lines += way == 3 ? ";fence.acq_rel;" : way == 4 ? ";fence;" : ";";
      lines += access(text, way);
    }
    code.push_back(lines);
  }
  return code;
}

const std::vector<Shape>& shapes() {
  // Which orders allow the outcome from which model on, with n executions there and n - 1 before.
  const auto from = [](int n, int model) {
    std::array<int, 4> row{};
    for (int m = 0; m < 4; ++m) row[m] = m >= model ? n : -(n - 1);
    return row;
  };
  const auto rows = [&](int n, int relaxed, int release, int fences) -> Rows {
    return {from(n, relaxed), from(n, release), never(n - 1), from(n, fences), never(n - 1)};
  };
  constexpr int kTso = 1, kPso = 2, kCpp20 = 3, kNone = 4;
  static const std::vector<Shape> all = {
      {"SB",
       {{"W x0 1", "R r0 x1"}, {"W x1 1", "R r0 x0"}},
       {{0, -1}, {0, -1}},
       {},
       rows(4, kTso, kTso, kTso)},
      {"MP",
       {{"W x0 1", "W x1 1"}, {"R r0 x1", "R r1 x0"}},
       {{-1, -1}, {1, 0}},
       {},
       rows(4, kPso, kNone, kNone)},
      {"LB",
       {{"R r0 x0", "W x1 1"}, {"R r0 x1", "W x0 1"}},
       {{1, -1}, {1, -1}},
       {},
       rows(4, kNone, kNone, kNone)},
      {"S",
       {{"W x0 2", "W x1 1"}, {"R r0 x1", "W x0 1"}},
       {{-1, -1}, {1, -1}},
       {2},
       rows(4, kPso, kNone, kNone)},
      {"R",
       {{"W x0 1", "W x1 1"}, {"W x1 2", "R r0 x0"}},
       {{-1, -1}, {0, -1}},
       {-1, 2},
       rows(4, kTso, kTso, kTso)},
      {"2+2W",
       {{"W x0 1", "W x1 2"}, {"W x1 1", "W x0 2"}},
       {},
       {1, 1},
       rows(4, kPso, kCpp20, kCpp20)},
      {"CoRR",
       {{"W x0 1"}, {"R r0 x0", "R r1 x0"}},
       {{-1, -1}, {1, 0}},
       {},
       rows(4, kNone, kNone, kNone)},
      {"WRC",
       {{"W x0 1"}, {"R r0 x0", "W x1 1"}, {"R r0 x1", "R r1 x0"}},
       {{-1, -1}, {1, -1}, {1, 0}},
       {},
       rows(8, kCpp20, kNone, kNone)},
      {"ISA2",
       {{"W x0 1", "W x1 1"}, {"R r0 x1", "W x2 1"}, {"R r0 x2", "R r1 x0"}},
       {{-1, -1}, {1, -1}, {1, 0}},
       {},
       rows(8, kPso, kNone, kNone)},
      {"RWC",
       {{"W x0 1"}, {"R r0 x0", "R r1 x1"}, {"W x1 1", "R r0 x0"}},
       {{-1, -1}, {1, 0}, {0, -1}},
       {},
       rows(8, kTso, kTso, kTso)},
      {"W+RWC",
       {{"W x0 1", "W x2 1"}, {"R r0 x2", "R r1 x1"}, {"W x1 1", "R r0 x0"}},
       {{-1, -1}, {1, 0}, {0, -1}},
       {},
       rows(8, kTso, kTso, kTso)},
      {"IRIW",
       {{"W x0 1"}, {"R r0 x0", "R r1 x1"}, {"R r0 x1", "R r1 x0"}, {"W x1 1"}},
       {{-1, -1}, {1, 0}, {1, 0}},
       {},
       rows(16, kCpp20, kCpp20, kCpp20)},
      {"Z6.3",
       {{"W x0 1", "W x1 1"}, {"W x1 2", "W x2 1"}, {"R r0 x2", "R r1 x0"}},
       {{-1, -1}, {-1, -1}, {1, 0}},
       {-1, 2},
       rows(8, kPso, kCpp20, kCpp20)},
      {"3.2W",
       {{"W x0 2", "W x1 1"}, {"W x1 2", "W x2 1"}, {"W x2 2", "W x0 1"}},
       {},
       {2, 2, 2},
       rows(8, kPso, kCpp20, kCpp20)},
  };
  return all;
}

}  // namespace mazur::litmus
