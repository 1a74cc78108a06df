#include "literature_programs.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "assemble.h"

namespace mazur::model::literature {
namespace {

using Code = std::vector<Instruction>;

void append(Code& code, const Code& more) { code.insert(code.end(), more.begin(), more.end()); }

Program hash_table(int n, int insertions, int factor) {
  constexpr int kSize = 128;
  Program p = with(kSize);
  for (int tid = 0; tid < n; ++tid)
    thread(p, {
                  add(r0, 1),       // 0: ++m
                  set(r1, r0),      // w = m * factor + tid
                  mul(r1, factor),  //
                  add(r1, tid),     //
                  set(r2, r1),      // h = 7w
                  mul(r2, 7),       //
                  mod(r2, kSize),   // 6
                  cas(r3, {0, r2}, 0, r1), go_if_equal(r3, 1, 11), add(r2, 1), go(6),
                  go_if(r0, Comparison::kLess, insertions, 0),  // 11
              });
  return p;
}

// A thread's name and its number. By name, "10" comes before "2".
using Named = std::pair<std::string, int>;

std::vector<int> by_name(std::vector<Named> threads) {
  std::sort(threads.begin(), threads.end());
  std::vector<int> order;
  for (const auto& [name, thread] : threads) order.push_back(thread);
  return order;
}

// Threads p_0, ..., p_(n-1), then q_i, r_i, s_i of every group, with their ids in this order;
// variables x_i, y_i, z_i.
Program groups_in_order(int n, const std::vector<int>& order) {
  std::vector<int> id(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) id[index(order[i])] = static_cast<int>(i);
  std::vector<std::pair<Code, bool>> threads;
  for (int i = 0; i < n; ++i) {
    Code code = {load(r0, 3 * i)};
    if (i + 1 < n) {
      const std::size_t next = index(n + 3 * (i + 1));
      append(code,
             {go_if_other(r0, 1, 5), spawn(id[next]), spawn(id[next + 1]), spawn(id[next + 2])});
    }
    threads.emplace_back(code, false);
  }
  for (int i = 0; i < n; ++i) {
    const int x = 3 * i;
    const int y = x + 1;
    const int z = x + 2;
    threads.emplace_back(Code{store(y, 1)}, i > 0);
    threads.emplace_back(Code{load(r0, y), go_if_other(r0, 0, 3), store(z, 1)}, i > 0);
    threads.emplace_back(
        Code{load(r0, z), go_if_other(r0, 1, 5), load(r1, y), go_if_other(r1, 0, 5), store(x, 1)},
        i > 0);
  }
  Program p = with(3 * n);
  for (int t : order) thread(p, threads[index(t)].first, threads[index(t)].second);
  return p;
}

}  // namespace

Program readers(int n) {
  Program p = with(1 + n);
  thread(p, {store(0, 42)});
  for (int i = 1; i <= n; ++i) thread(p, {load(r0, i), load(r1, 0)});
  return p;
}

Program lastzero(int n) {
  Program p = with(n + 1);
  thread(p, {set(r0, n), load(r1, {0, r0}), go_if_equal(r1, 0, 5), add(r0, -1), go(1)});
  for (int j = 1; j <= n; ++j) thread(p, {load(r0, j - 1), store(j, {r0, 1})});
  return p;
}

Program lastzero_by_name(int n) {
  Program p = with(n + 1);
  std::vector<Named> threads;
  for (int t = 0; t <= n; ++t) threads.emplace_back(std::to_string(t + 1), t);
  for (int j : by_name(threads)) {
    if (j == 0)
      thread(p,
             {yield(), set(r0, n), load(r1, {0, r0}), go_if_equal(r1, 0, 6), add(r0, -1), go(2)});
    else
      thread(p, {yield(), load(r0, j - 1), store(j, {r0, 1})});
  }
  return p;
}

Program indexer(int n) { return hash_table(n, 4, 11); }
Program indexer_small(int n) { return hash_table(n, 2, 2); }

Program filesystem(int n) {
  constexpr int kInodes = 32;
  constexpr int kBlocks = 26;
  // Both as variables and as mutexes: the inodes, then the blocks.
  Program p = with(kInodes + kBlocks, kInodes + kBlocks);
  for (int t = 0; t < n; ++t) {
    const int i = t % kInodes;
    thread(p, {
                  lock(i),                   // 0
                  load(r0, i),               //
                  go_if_other(r0, 0, 14),    //
                  set(r1, 2 * i % kBlocks),  //
                  lock({kInodes, r1}),       // 4
                  load(r0, {kInodes, r1}),   //
                  go_if_equal(r0, 0, 11),    //
                  unlock({kInodes, r1}),     //
                  add(r1, 1),                //
                  mod(r1, kBlocks),          //
                  go(4),                     //
                  store({kInodes, r1}, 1),   // 11
                  store(i, {r1, 1}),         //
                  unlock({kInodes, r1}),     //
                  unlock(i),                 // 14
              });
  }
  return p;
}

Program wakeup_stress(int n) {
  Program p = with(2);
  p.of(ObjectClass::kBarrier) = {n + 1};
  thread(p, {fetch_add(r0, 0, 1)});
  for (int i = 0; i < n; ++i) thread(p, {fetch_add(r0, 1, 1), arrive(0)});
  thread(p, {barrier(0), fetch_add(r0, 0, 1)});
  return p;
}

Program groups(int n) {
  std::vector<int> order(4 * static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return groups_in_order(n, order);
}

Program groups_by_name(int n) {
  // p_(n-1), ..., p_0 and then q_0, r_0, s_0 are "1", "2", ...; those that "k" creates are "k.1",
  // "k.2", "k.3".
  std::vector<Named> threads;
  int created = 0;
  for (int i = n - 1; i >= 0; --i) {
    const std::string name = std::to_string(++created);
    threads.emplace_back(name, i);
    for (int k = 0; k < 3 && i + 1 < n; ++k)
      threads.emplace_back(name + "." + std::to_string(k + 1), n + 3 * (i + 1) + k);
  }
  for (int k = 0; k < 3; ++k) threads.emplace_back(std::to_string(++created), n + k);
  return groups_in_order(n, by_name(threads));
}

Program entangled(int n) {
  Program p = with(n + 1);
  for (int i = 0; i < n; ++i) thread(p, {store(i, 7)});
  Code counter;
  for (int i = 1; i < n; ++i) append(counter, {load(r0, n), store(n, {r0, 1})});
  thread(p, counter);
  thread(p, {load(r0, n), store({0, r0}, 0)});
  return p;
}

Program ring(int n) {
  Program p = with(n);
  for (int i = 0; i < n; ++i) thread(p, {store(i, 1), load(r0, (i + 1) % n)});
  return p;
}

Program inc(int n, int k) {
  Program p = with(1);
  Code code;
  for (int i = 0; i < k; ++i) append(code, {load(r0, 0), store(0, {r0, 1})});
  for (int i = 0; i < n; ++i) thread(p, code);
  return p;
}

Program readers_writers(int n) {
  Program p = with(1);
  thread(p, {store(0, 1)});
  for (int i = 0; i < n; ++i) thread(p, {load(r0, 0)});
  return p;
}

Program branching(int n) {
  Program p = with(n);
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    thread(p, {load(r0, i), go_if_other(r0, 0, 3), store(next, 1),  //
               load(r0, i), go_if_other(r0, 0, 6), store(next, 1)});
  }
  return p;
}

Program disp(int servers, int rounds) {
  // Mutexes m[0 .. servers-1], then k; likewise the variables that they protect, the last one being
  // sid.
  const int k = servers;
  const int first_picker = 1 + servers;
  Program p = with(servers + 1, servers + 1);
  Code main;
  for (int r = 0; r < rounds; ++r)
    append(main, {spawn(first_picker + r), lock(k), load(r0, k), unlock(k), lock({0, r0}),
                  store({0, r0}, 1), unlock({0, r0}), join(first_picker + r)});
  thread(p, main);
  for (int i = 0; i < servers; ++i) thread(p, {lock(i), store(i, 1), unlock(i)});
  Code picker;
  for (int x = 0; x < servers; ++x) append(picker, {lock(k), store(k, x), unlock(k)});
  for (int r = 0; r < rounds; ++r) thread(p, picker, true);
  return p;
}

Program mpat(int k) {
  Program p = with(1, k + 1);
  for (int i = 0; i < k; ++i) {
    thread(p, {lock(i), unlock(i)});
    thread(p, {lock(k), lock(i), unlock(i), unlock(k)});
  }
  return p;
}

Program mpc(int producers, int workers) {
  // Mutexes mut[0 .. workers-1], then prodmut; variables request[0 .. workers-1], then buff.
  const int buff = workers;
  Program p = with(workers + 1, workers + 1);
  for (int i = 0; i < workers; ++i) {
    Code code;
    for (std::size_t round = 0; round < 2; ++round)
      append(code, {lock(i), load(r0, i), go_if_equal(r0, 0, 5 * round + 4), store(i, {r0, -1}),
                    unlock(i)});
    thread(p, code);
  }
  for (int id = 0; id < producers; ++id) {
    const Code round = {lock(buff),  load(r0, buff),  mul(r0, producers),
                        add(r0, id), store(buff, r0), unlock(buff)};
    Code code;
    append(code, round);
    append(code, round);
    append(code, {mod(r0, workers), lock({0, r0}), fetch_add(r1, {0, r0}, 1), unlock({0, r0})});
    thread(p, code);
  }
  return p;
}

Program pi(int n) {
  Program p = with(1, 1);
  for (int i = 0; i < n; ++i) thread(p, {lock(0), load(r0, 0), store(0, {r0, i + 1}), unlock(0)});
  return p;
}

Program poke(int n, int k) {
  // Mutexes ma[0 .. n-1], then mi; variables a[0 .. n-1], then i.
  Program p = with(n + 1, n + 1);
  Code main;
  for (int round = 0; round < k; ++round) {
    const int chooser = 1 + n + 2 * round;
    append(main, {spawn(chooser), spawn(chooser + 1), join(chooser), join(chooser + 1)});
  }
  thread(p, main);
  for (int i = 0; i < n; ++i) thread(p, {lock(i), store(i, 1), unlock(i)});
  Code chooser;
  for (int x = 1; x < n; ++x) append(chooser, {lock(n), store(n, x), unlock(n)});
  const Code poker = {lock(n),           load(r0, n),           unlock(n),         lock({0, r0}),
                      load(r1, {0, r0}), go_if_other(r1, 1, 7), store({0, r0}, 0), unlock({0, r0})};
  for (int round = 0; round < k; ++round) {
    thread(p, chooser, true);
    thread(p, poker, true);
  }
  return p;
}

}  // namespace mazur::model::literature
