#!/usr/bin/env python3
"""Would the tests notice? Changes the sources in small places, runs the quick tests, and lists what they let pass.

A change (a mutant) flips a comparison, negates a condition, changes a number by one, or drops a statement. All mutants
of a folder are compiled at once, each behind a question whether it is the chosen one; MAZUR_MUTANT in the environment
says which one is. So a mutant costs only the run of the tests. The working tree is never touched. Needs a build tree
with the test programs in it, in which each file was compiled by itself: everything but the changed files is taken from
there. The tests run at low priority.

    cmake --preset release -B build/mutants -DMAZUR_TOGETHER=OFF
    cmake --build build/mutants --target trace_tests explore_tests model_agreement model_tests
    tests/mutation/mutate.py src/trace --number=300 --seed=1
    tests/mutation/mutate.py src/trace/reversal.cpp --line=151       the mutants of one line, to see a test at work
    tests/mutation/mutate.py src/explore/dpor --list                 the mutants, without running anything
    tests/mutation/mutate.py src/explore/dpor/reversals.h            those of a header, in all that includes it
    tests/mutation/mutate.py src/explore/dpor --again=LOG --share=12 those that survived in a log, with more programs

Some mutants are equivalent: whether one that survives should not is for a reader to say. The exit code is always 0.
"""
import argparse
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# In this order: program below the build folder, arguments, environment. The random programs are a share of those of CI;
# what takes long and is about other explorers is left out.
TESTS = [
    ("tests/trace/trace_tests", [], {}),
    ("tests/model/model_agreement", [], {"MAZUR_SHARD": "0", "MAZUR_SHARDS": "300"}),
    ("tests/explore/explore_tests", ["--gtest_filter=-*Quasi*:Lazy*"], {}),
    ("tests/model/model_tests", ["--gtest_filter=-Thorough*:Estimate.WhatIsToldIsTrue:*poke_8_3"], {}),
]

# `a < b` becomes `a < mutant::Other{7} < b`: the same operators bind the same way, whatever a and b are.
GUARD = r"""
#pragma once
#include <cstdlib>
#include <utility>
namespace mutant {
inline const int chosen = std::getenv("MAZUR_MUTANT") ? std::atoi(std::getenv("MAZUR_MUTANT")) : 0;
inline bool on(int number) { return chosen == number; }
struct Other { int number; };
template <typename T, char op> struct Left { T&& value; int number; };
#define MUTANT_FLIP(op, name, other)                                                              \
  template <typename T> Left<T, name> operator op(T&& value, Other o) {                           \
    return {std::forward<T>(value), o.number};                                                    \
  }                                                                                               \
  template <typename T, typename U> bool operator op(Left<T, name> left, U&& right) {             \
    return on(left.number) ? left.value other right : left.value op right;                        \
  }
MUTANT_FLIP(==, 'e', !=)
MUTANT_FLIP(!=, 'n', ==)
MUTANT_FLIP(<, 'l', <=)
MUTANT_FLIP(<=, 'L', <)
MUTANT_FLIP(>, 'g', >=)
MUTANT_FLIP(>=, 'G', >)
}  // namespace mutant
"""

FLIPPED = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
COMPARISON = re.compile(r" (==|!=|<=|>=|<|>) (?=\S)")
LOGIC = re.compile(r" (&&|\|\|) (?=\S)|(?<=\S) (&&|\|\|)$", re.M)
NUMBER = re.compile(r"(?<![\w.'{])\d+(?![\w.'}])")
TRUTH = re.compile(r"\b(true|false)\b")
CONDITION = re.compile(r"\b(?:if|while) \(")
# A statement that has an effect: an assignment, a call, a step, or a jump. Not a declaration, nor the return of a value.
STATEMENT = re.compile(r"^ *(?:if \(.*\) |else )?((?:[\w.>\[\]()*:-]+ [-+|&^]?= [^;]*|[\w.>:-]+\([^;]*\)"
                       r"|(?:\+\+|--)[^;]*|break|continue|return);) *$")
# Lines that are worked out by the compiler.
CONSTANT = re.compile(r"\bconstexpr\b|\bstatic_assert\b|^\s*case |^\s*#|^\s*template\b|^\s*using\b|/\*|\boperator\b")


def without_comments(text):
    """The text with comments and strings blanked out, position by position."""
    pattern = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(text, opening):
    """The position of the bracket that closes the one at `opening`."""
    depth = 0
    for i in range(opening, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return len(text)


class Mutant:
    """Inserts (position, text) pairs, in which # stands for its number."""

    def __init__(self, path, line, source, what, inserts):
        self.path, self.line, self.source, self.what, self.inserts = path, line, source, what, inserts

    def __str__(self):
        return f"{self.path}:{self.line}: {self.what}: {self.source}"


def mutants_of(path, text):
    code = without_comments(text)
    lines = text.split("\n")

    def mutant(at, what, *inserts):
        line = code.count("\n", 0, at) + 1
        if not CONSTANT.search(lines[line - 1]):
            yield Mutant(path, line, lines[line - 1].strip(), what, inserts)

    for m in COMPARISON.finditer(code):
        op = m.group(1)
        yield from mutant(m.start(), f"{op} to {FLIPPED[op]}", (m.end(1), f" mutant::Other{{#}} {op}"))
    for m in LOGIC.finditer(code):
        op = m.group(1) or m.group(2)
        always = "!mutant::on(#)" if op == "&&" else "mutant::on(#)"
        what = "false and" if op == "&&" else "true or"
        yield from mutant(m.start() + 1, what, (m.start() + 1, f"{op} {always} "))
    for m in NUMBER.finditer(code):
        yield from mutant(m.start(), f"{m.group()} to {int(m.group()) + 1}", (m.start(), "("), (m.end(), " + mutant::on(#))"))
    for m in TRUTH.finditer(code):
        yield from mutant(m.start(), f"not {m.group()}", (m.start(), "("), (m.end(), " != mutant::on(#))"))
    for m in CONDITION.finditer(code):
        begin = m.end() - 1
        end = closing(code, begin)
        begin = max(begin, code.rfind(";", begin, end)) + 1
        yield from mutant(begin, "negated condition", (begin, "!("), (end, ") == mutant::on(#)"))
    begin = 0
    for line in code.split("\n"):
        m = STATEMENT.match(line)
        if m and line.count("(") == line.count(")"):
            yield from mutant(begin + m.start(1), "dropped statement",
                              (begin + m.start(1), "{ if (!mutant::on(#)) "), (begin + m.end(1), " }"))
        begin += len(line) + 1


def find_mutants(paths):
    """All mutants, by file."""
    files = []
    for path in map(pathlib.Path, paths):
        files += sorted((ROOT / path).rglob("*.cpp")) if (ROOT / path).is_dir() else [ROOT / path]
    return {f.relative_to(ROOT): list(mutants_of(f.relative_to(ROOT), f.read_text())) for f in files}


def guarded(path, mutants, numbers):
    """The text of the file with all these mutants in it."""
    text = (ROOT / path).read_text()
    inserts = []
    for m in mutants:
        for place, (at, what) in enumerate(m.inserts):
            # Where several begin or end, those with larger numbers are outside.
            order = -numbers[m] if place == 0 else numbers[m]
            inserts.append((at, place == 0, order, what.replace("#", str(numbers[m]))))
    for at, _, _, what in sorted(inserts, reverse=True):
        text = text[:at] + what + text[at:]
    return f'#include "mutant.h"\n#line 1 "{path}"\n{text}'


def run(command, seconds, **more):
    """Output and exit code, which is None after this many seconds. Ends the group of processes that it started."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True, **more)
    try:
        return process.communicate(timeout=seconds)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], None


class Build:
    def __init__(self, tree, work):
        self.tree, self.work, self.objects, self.limits = tree, work, {}, {}
        work.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(work / "headers", ignore_errors=True)  # of another header
        (work / "mutant.h").write_text(GUARD)

    def ninja(self, *arguments):
        return subprocess.run(["ninja", "-C", self.tree, "-t", *arguments], check=True, capture_output=True,
                              text=True).stdout.strip().split("\n")

    def compilations(self):
        """How each file of the tests is compiled: (path, object, command)."""
        for command in self.ninja("commands", *(name for name, _, _ in TESTS)):
            if m := re.search(r" -o (\S+) -c (\S+)$", command):
                path = (self.tree / m.group(2)).resolve()
                if path.is_relative_to(ROOT):
                    yield path.relative_to(ROOT), m.group(1), command

    def affected(self, path):
        """What has to be compiled again when this file changes."""
        if path.suffix != ".h":
            found = [c for c in self.compilations() if c[0] == path]
            return found or sys.exit(f"mutate: configure {self.tree} with -DMAZUR_TOGETHER=OFF, to compile {path} by itself")
        including, current = set(), None
        for line in self.ninja("deps"):
            if not line.startswith(" "):
                current = line.split(":")[0]
            elif line.endswith(f"/{path.name}") and (self.tree / line.strip()).resolve() == ROOT / path:
                including.add(current)
        return [c for c in self.compilations() if c[1] in including]

    def compile(self, path, mutants, numbers):
        """Leaves out the mutants of lines that do not compile. Returns the others."""
        source = self.work / "headers" / path.relative_to("src") if path.suffix == ".h" else self.work / path.name
        source.parent.mkdir(parents=True, exist_ok=True)
        affected = self.affected(path)
        while True:
            source.write_text(guarded(path, mutants, numbers))
            output = "".join(self.compile_one(*each, source) for each in affected)
            if not output:
                return mutants
            wrong = {int(n) for n in re.findall(rf"{re.escape(str(path))}:(\d+)", output)}
            left = [m for m in mutants if m.line not in wrong]
            if len(left) == len(mutants):
                sys.exit(f"mutate: {path} does not compile:\n{output[-3000:]}")
            mutants = left

    def compile_one(self, path, original, command, changed):
        """The file, which is the changed one or includes it. Returns what the compiler says if it fails."""
        includes = [f"-I{self.work}/headers", f"-I{self.work}", *re.findall(r"-I\S+", command)]
        text = ROOT / path if changed.suffix == ".h" else changed
        self.objects[original] = self.work / (str(path).replace("/", "_") + ".o")
        output, code = run(["g++", "-std=c++20", "-O1", "-w", *includes, "-c", text, "-o", self.objects[original]], 900,
                           cwd=self.tree)
        return output if code != 0 else ""

    def link(self):
        commands = {name: next(p for p in self.ninja("commands", name)[-1].split("&&") if f" -o {name} " in p)
                    for name, _, _ in TESTS}
        for name, command in commands.items():
            program = f" -o {self.work / pathlib.Path(name).name} "
            for original, changed in self.objects.items():
                if not any(f" {original} " in c for c in commands.values()):
                    program = f" {changed}{program}"  # it comes before the library with the original
                command = command.replace(f" {original} ", f" {changed} ")
            output, code = run(["sh", "-c", command.replace(f" -o {name} ", program)], 900, cwd=self.tree)
            if code != 0:
                sys.exit(f"mutate: {name} does not link:\n{output[-3000:]}")

    def notices(self, test, number):
        """Whether the test program fails with this mutant, or takes much longer than without one."""
        name, arguments, environment = test
        program = pathlib.Path(name).name
        begin = time.monotonic()
        _, code = run([self.work / program, "--gtest_fail_fast", *arguments], self.limits.get(program, 900),
                      env={**os.environ, **environment, "MAZUR_MUTANT": str(number)}, cwd=self.work)
        self.limits.setdefault(program, 20 + 10 * (time.monotonic() - begin))
        return code != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="folders or .cpp files, or one header, relative to the project")
    parser.add_argument("--number", type=int, help="how many mutants, drawn at random (all of them otherwise)")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn")
    parser.add_argument("--minutes", type=float, help="begin no mutant after this time")
    parser.add_argument("--line", type=int, help="only the mutants of this line")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/mutants", help="the build tree")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "mazur-mutants", help="where to compile")
    parser.add_argument("--again", type=pathlib.Path, help="only those that survived, by the output of an earlier run")
    parser.add_argument("--share", default="300", help="which part of CI's random programs is run: one in so many")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    options = parser.parse_args()

    if len(options.paths) > 1 and any(p.endswith(".h") for p in options.paths):
        sys.exit("mutate: one header at a time, and nothing beside it")
    found = find_mutants(options.paths)
    if options.list:
        for mutants in found.values():
            print(*mutants, sep="\n")
        return
    begin = time.monotonic()
    numbers = {m: n for n, m in enumerate((m for mutants in found.values() for m in mutants), start=1)}
    build = Build(options.build.resolve(), options.work.resolve())
    mutants = []
    for path, all_of_file in found.items():
        mutants += build.compile(path, all_of_file, numbers)
    print(f"{len(mutants)} mutants; {len(numbers) - len(mutants)} do not compile", flush=True)
    build.link()
    os.nice(12)
    if options.line is not None:
        mutants = [m for m in mutants if m.line == options.line]
    if options.again is not None:
        survived = options.again.read_text().split(" survived:\n")[-1].split("\n")
        mutants = [m for m in mutants if f"  {m}" in survived]
    random.Random(options.seed).shuffle(mutants)
    left = mutants[:options.number]
    print(f"{len(left)} of them are run", flush=True)
    # The tests of src/trace see no explorer.
    tests = TESTS if any(m.path.parts[:2] == ("src", "trace") for m in left) else TESTS[1:]
    for test in tests:
        if "MAZUR_SHARDS" in test[2]:
            test[2]["MAZUR_SHARDS"] = options.share
        program = pathlib.Path(test[0]).name
        if build.notices(test, 0):
            sys.exit(f"mutate: {program} fails without any change")
        survivors, tried = [], 0
        for mutant in left:
            if options.minutes is not None and time.monotonic() - begin > 60 * options.minutes:
                break
            tried += 1
            if not build.notices(test, numbers[mutant]):
                survivors.append(mutant)
                print(f"not noticed by {program}: {mutant}", flush=True)
        print(f"{program}: {tried} mutants, {tried - len(survivors)} noticed", flush=True)
        left = survivors if test is tests[0] else survivors + left[tried:]
    print(f"{len(left)} survived:")
    for mutant in sorted(left, key=lambda m: (str(m.path), m.line)):
        print(f"  {mutant}")


if __name__ == "__main__":
    main()
