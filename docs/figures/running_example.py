#!/usr/bin/env python3
"""Draws running-example.svg: what `optimal` explores of the running example of the context-sensitive
paper, and which parts of it the other explorers leave out.

    python3 running_example.py > running-example.svg

The tree is computed from the twelve executions, in the order in which they are explored, and the state of
the program after each; only the don't-do sets and the boxes are written down here.
"""

PROGRAM = {
    "p": [("y", 1), ("x", 1)],
    "q": [("x", 2)],
    "r": [("assert", 3), ("assert", 2)],  # x < 3, x < 2
}
EXECUTIONS = ["qpprr", "qprpr", "qprrp", "ppqrr", "pprqr", "pprrq",
              "prpqr", "prprq", "prqpr", "prqrp", "prrpq", "prrqp"]

# What an execution that has been seen makes unnecessary, by prefix.
DONT_DO = {"": "¬p.r.q", "p": "¬r.q, ¬r.p", "qp": "¬r.p", "qpr": "¬p",
           "pp": "¬r.q", "ppr": "¬q", "pr": "¬p, ¬q"}

# Name, prefixes of what is in the box, and what leaves it out.
CONTEXT, OBSERVERS, REFINED = "context", "observers", "refined"
BOXES = [("P1", ["qprp"], CONTEXT), ("P2", ["pprq"], CONTEXT), ("P3", ["prp"], CONTEXT),
         ("P4", ["prq"], CONTEXT), ("P5", ["prrq"], OBSERVERS), ("P6", ["ppq"], REFINED)]
STYLE = {
    CONTEXT: ("#e3effb", "#2f6fb3", "6 3"),
    OBSERVERS: ("#fdeedb", "#c46a00", "2 3"),
    REFINED: ("#efefef", "#777777", "9 3 2 3"),
}
LEGEND = [(CONTEXT, "P1 to P4: the paper's context leaves them out; Mazur does where no race can be hidden"),
          (OBSERVERS, "P5: observers leaves it out"),
          (REFINED, "P6: the check of the paper's section 4.3 would leave it out; Mazur runs it")]

STEP, ROW, LEFT, TOP, RADIUS = 118, 50, 46, 34, 12


def run(execution):
    """The assertions' results and the last x."""
    memory, at, results = {"x": 0, "y": 0}, {"p": 0, "q": 0, "r": 0}, []
    for process in execution:
        what, value = PROGRAM[process][at[process]]
        at[process] += 1
        if what == "assert":
            results.append(memory["x"] < value)
        else:
            memory[what] = value
    return results, memory["x"]


def nodes():
    """Prefix -> (number, place), numbered as they are met."""
    found = {}
    for execution in EXECUTIONS:
        for length in range(len(execution) + 1):
            found.setdefault(execution[:length], len(found))
    place = {}
    for prefix in sorted(found, key=len, reverse=True):
        below = [place[p][1] for p in found if len(p) == len(prefix) + 1 and p.startswith(prefix)]
        row = below[0] if below else TOP + EXECUTIONS.index(prefix) * ROW
        place[prefix] = (LEFT + len(prefix) * STEP, row)
    return found, place


def wakeup_tree(prefix):
    """The sequences that were added to wut(prefix), up to where they leave what is there already."""
    branches = []
    for execution in EXECUTIONS:
        if execution.startswith(prefix) and execution[len(prefix):len(prefix) + 1] not in branches:
            branches.append(execution[len(prefix):len(prefix) + 1])
    return " + ".join(branches[1:]) if prefix else "p.p + p.r"


def text(x, y, content, size=13, colour="#222", anchor="middle", extra=""):
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
            f'{extra}>{content.replace("<", "&lt;")}</text>')


def draw():
    number, place = nodes()
    height = TOP + len(EXECUTIONS) * ROW + len(LEGEND) * 24 + 14
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="880" height="{height}" '
           f'viewBox="0 0 880 {height}" font-family="Helvetica, Arial, sans-serif">',
           f'<rect width="880" height="{height}" fill="white"/>']
    for name, prefixes, kind in BOXES:
        inside = [place[p] for p in place if any(p.startswith(b) for b in prefixes)]
        x0, x1 = min(x for x, _ in inside) - 26, max(x for x, _ in inside) + 22
        y0, y1 = min(y for _, y in inside) - 28, max(y for _, y in inside) + 17
        fill, colour, dashes = STYLE[kind]
        out.append(f'<rect x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" rx="9" fill="{fill}" '
                   f'stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dashes}"/>')
        out.append(text(x0 - 6, y1 - 3, name, 13, colour, "end", ' font-weight="bold"'))
    for prefix, (x, y) in place.items():
        if not prefix:
            continue
        px, py = place[prefix[:-1]]
        if py == y:
            out.append(f'<path d="M{px + RADIUS} {py} H{x - RADIUS}" stroke="#444" fill="none"/>')
        else:
            corner = px + 36
            out.append(f'<path d="M{px + RADIUS - 2} {py + 8} Q{corner - 14} {y} {corner} {y} '
                       f'H{x - RADIUS}" stroke="#444" fill="none"/>')
        out.append(text((px + x) / 2 + 16, y - 5, prefix[-1], 14, "#222", "middle", ' font-style="italic"'))
    for prefix, (x, y) in place.items():
        out.append(f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="white" stroke="#444"/>')
        out.append(text(x, y + 4, str(number[prefix]), 11))
        added = wakeup_tree(prefix) if len(prefix) < 5 else ""
        if added:
            out.append(text(x, y - 17, added, 11, "#666"))
        if prefix in DONT_DO:
            out.append(text(x + 7, y + 25, DONT_DO[prefix], 11, STYLE[CONTEXT][1], "end"))
    x = LEFT + 5 * STEP + 34
    for i, execution in enumerate(EXECUTIONS):
        results, last = run(execution)
        verdict = "both hold" if all(results) else "x < 2 fails"
        colour = "#222" if all(results) else "#b00020"
        out.append(text(x, TOP + i * ROW + 4, f"{i + 1}:  {verdict},  x = {last}", 12, colour, "start"))
    y = TOP + len(EXECUTIONS) * ROW + 4
    for kind, words in LEGEND:
        fill, colour, dashes = STYLE[kind]
        out.append(f'<rect x="{LEFT}" y="{y - 11}" width="30" height="15" rx="4" fill="{fill}" '
                   f'stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dashes}"/>')
        out.append(text(LEFT + 40, y + 1, words, 12, "#222", "start"))
        y += 24
    out.append("</svg>")
    return "\n".join(out)


if __name__ == "__main__":
    print(draw())
