#!/usr/bin/env python3
"""Would the tests notice? Changes the sources in one small place, runs the quick tests, and lists what they let pass.

A change (a mutant) flips a comparison, negates a condition, changes a number by one, or drops a statement. It is made
in a copy of the tree, in a folder of its own, so the working tree is never touched. Only the object that changed is
compiled again. A mutant that compiles to the same object is the same program, and is not counted.

    tests/mutation/mutate.py src/trace src/explore/dpor --number=200 --seed=1 --minutes=25
    tests/mutation/mutate.py src/trace/reversal.cpp --line=151       every mutant of one line, to see a test at work
    tests/mutation/mutate.py src/trace --list                        the mutants, without running anything

Folders stand for their .cpp files. A header can be named, but then most of the tree is compiled for each mutant.

The exit code is 0 whether or not mutants survive: whether one of them is equivalent is for a reader to say.
"""
import argparse
import hashlib
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ["trace_tests", "explore_tests", "model_agreement"]
# Executable below the build folder, arguments, environment. The random programs are a share of those of CI; what
# takes long and is about other explorers is left out.
TESTS = [
    ("tests/trace/trace_tests", [], {}),
    ("tests/model/model_agreement", [], {"MAZUR_SHARD": "0", "MAZUR_SHARDS": "100"}),
    ("tests/explore/explore_tests", ["--gtest_filter=-*Quasi*:Lazy*:*EqualOrdersHide*"], {}),
]

FLIPS = [
    (re.compile(r" == "), " != "),
    (re.compile(r" != "), " == "),
    (re.compile(r" < "), " <= "),
    (re.compile(r" <= "), " < "),
    (re.compile(r" > "), " >= "),
    (re.compile(r" >= "), " > "),
    (re.compile(r" && "), " || "),
    (re.compile(r" \|\| "), " && "),
    (re.compile(r" \+ "), " - "),
    (re.compile(r" - "), " + "),
    (re.compile(r"\btrue\b"), "false"),
    (re.compile(r"\bfalse\b"), "true"),
    (re.compile(r"\+\+(?=\w)"), "--"),
    (re.compile(r"--(?=\w)"), "++"),
]
NUMBER = re.compile(r"(?<![\w.'])\d+(?![\w.'])")
CONDITION = re.compile(r"\b(?:if|while) \(")
# A statement that has an effect: an assignment, a call, a step, or a jump. Not a declaration, nor the return of a value.
STATEMENT = re.compile(r"^ *(?:if \(.*\) |else )?((?:[\w.>\[\]()*:-]+ [-+|&^]?= [^;]*|[\w.>:-]+\([^;]*\)"
                       r"|(?:\+\+|--)[^;]*|break|continue|return);) *$")


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


def mutants_of(text):
    """All (begin, end, replacement, what) for one file."""
    code = without_comments(text)
    for pattern, other in FLIPS:
        for m in pattern.finditer(code):
            yield m.start(), m.end(), other, f"{m.group().strip()} to {other.strip()}"
    for m in NUMBER.finditer(code):
        line = code[code.rfind("\n", 0, m.start()) + 1:m.start()]
        if line.lstrip().startswith("#"):
            continue
        yield m.start(), m.end(), str(int(m.group()) + 1), f"{m.group()} to {int(m.group()) + 1}"
    for m in CONDITION.finditer(code):
        begin = m.end() - 1
        end = closing(code, begin)
        begin = max(begin, code.rfind(";", begin, end)) + 1
        yield begin, end, f"!({text[begin:end].strip()})", "negated condition"
    begin = 0
    for line in code.split("\n"):
        m = STATEMENT.match(line)
        if m and line.count("(") == line.count(")"):
            yield begin + m.start(1), begin + m.end(1), ";", "dropped statement"
        begin += len(line) + 1


class Mutant:
    def __init__(self, path, text, begin, end, replacement, what):
        self.path, self.what = path, what
        self.mutated = text[:begin] + replacement + text[end:]
        self.line = text.count("\n", 0, begin) + 1
        self.source = text.split("\n")[self.line - 1].strip()

    def __str__(self):
        return f"{self.path}:{self.line}: {self.what}: {self.source}"


def find_mutants(paths, line):
    files = []
    for p in paths:
        path = pathlib.Path(p)
        files += sorted((ROOT / path).rglob("*.cpp")) if (ROOT / path).is_dir() else [ROOT / path]
    found = []
    for file in files:
        text = file.read_text()
        for m in sorted(mutants_of(text), key=lambda m: m[:2]):
            mutant = Mutant(file.relative_to(ROOT), text, *m)
            if line is None or mutant.line == line:
                found.append(mutant)
    return found


def run(command, seconds, **more):
    """The exit code, or None after this many seconds. Ends the whole group of processes that it started."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True, **more)
    try:
        return process.communicate(timeout=seconds)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0], None


class Copy:
    """The tree in a folder of its own, built with little optimisation and without the runtime."""

    def __init__(self, folder):
        self.tree, self.build = folder / "tree", folder / "build"
        self.limits = {}
        listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
                                capture_output=True, text=True).stdout.split("\n")
        for name in filter(None, listed):
            source, target = ROOT / name, self.tree / name
            if not source.is_file() or (target.exists() and target.read_bytes() == source.read_bytes()):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        configure = ["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None",
                     "-DCMAKE_CXX_FLAGS=-O1 -w", "-DMAZUR_RUNTIME=OFF", "-DMAZUR_BENCH=OFF"]
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)

    def compile(self):
        return run(["cmake", "--build", self.build, "-j1", "--target", *TARGETS], 1800)

    def test(self):
        """The name of the test program that noticed, or None."""
        for name, arguments, environment in TESTS:
            begin = time.monotonic()
            _, code = run([self.build / name, "--gtest_fail_fast", *arguments], self.limits.get(name, 600),
                          env={**os.environ, **environment}, cwd=self.build)
            if code != 0:
                return f"{pathlib.Path(name).name}{' (time)' if code is None else ''}"
            self.limits.setdefault(name, 10 + 5 * (time.monotonic() - begin))
        return None

    def objects(self):
        """What the libraries consist of, so that an unchanged program is recognised."""
        digest = hashlib.sha256()
        for archive in sorted(self.build.rglob("*.a")):
            digest.update(archive.read_bytes())
        return digest.digest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="folders or files below src/, relative to the project")
    parser.add_argument("--number", type=int, help="how many mutants, drawn at random (all of them otherwise)")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn")
    parser.add_argument("--minutes", type=float, help="begin no mutant after this time")
    parser.add_argument("--line", type=int, help="only the mutants of this line")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/mazur-mutants"), help="where to build")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    options = parser.parse_args()

    mutants = find_mutants(options.paths, options.line)
    if options.number is not None and options.number < len(mutants):
        mutants = random.Random(options.seed).sample(mutants, options.number)
    if options.list:
        print(*mutants, f"{len(mutants)} mutants", sep="\n")
        return 0

    copy = Copy(options.work)
    output, code = copy.compile()
    if code != 0:
        sys.exit(f"mutate: the tree does not build:\n{output[-2000:]}")
    if noticed := copy.test():
        sys.exit(f"mutate: {noticed} fails without any change")
    original = copy.objects()

    begin = time.monotonic()
    counts = {"noticed": 0, "survived": 0, "same program": 0, "does not compile": 0}
    survivors = []
    for mutant in mutants:
        if options.minutes is not None and time.monotonic() - begin > 60 * options.minutes:
            break
        file = copy.tree / mutant.path
        unchanged = file.read_text()
        file.write_text(mutant.mutated)
        _, code = copy.compile()
        if code != 0:
            result, by = "does not compile", ""
        elif copy.objects() == original:
            result, by = "same program", ""
        else:
            by = copy.test()
            result = "noticed" if by else "survived"
        file.write_text(unchanged)
        counts[result] += 1
        if result == "survived":
            survivors.append(mutant)
        print(f"{result}{' by ' + by if by else ''}: {mutant}", flush=True)

    print("\n" + ", ".join(f"{n} {what}" for what, n in counts.items()))
    for mutant in survivors:
        print(f"  {mutant}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
