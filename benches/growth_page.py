"""What grows with the organization, as docs/growth.md with docs/growth.svg."""
import dataclasses
import datetime
import math
import pathlib

import growth
import plot
from measure import GUILDHALL, ROOT, run
from report import machine
from targets import SCATTER


@dataclasses.dataclass
class Line:
    """A line of the table, and perhaps of a panel of the plot."""

    name: str
    key: str
    digits: int = 0
    panel: str = ""
    label: str = ""

    def cells(self, found):
        return [self.name, *(f"{size[self.key]:,.{self.digits}f}" for size in found), *compared(self.key, found)]


TIME, CPU, SPACE, ROWS = "Time, ms", "CPU time of a warm request, µs", "Memory and file, MB", "Rows read"
LINES = [
    Line("teams", "teams"),
    Line("memberships", "memberships"),
    Line("import, ms", "import", 0, TIME, "import"),
    Line("import, CPU ms", "import cpu"),
    Line("start to ready, ms", "start", 0, TIME, "start"),
    Line("first list of teams after a start, ms", "first list", 1, TIME, "first list"),
    Line("first merged page after a start, ms", "first merged", 1, TIME, "first merged page"),
    Line("rows read before the first list", "rows of first list", 0, ROWS, "first list"),
    Line("rows read before the first merged page", "rows of first merged", 0, ROWS, "first merged page"),
    Line("statements before the first merged page", "statements of first merged"),
    Line("warm read of a team, CPU µs", "team cpu", 1, CPU, "team"),
    Line("warm list of 30 teams, CPU µs", "list cpu", 1, CPU, "30 teams"),
    Line("warm page of 100 merged members, CPU µs", "merged cpu", 1, CPU, "100 merged members"),
    Line("PUT of a membership, 64 clients, CPU µs", "put cpu", 1, CPU, "PUT"),
    Line("warm read of a team, a second", "team rate"),
    Line("warm list of 30 teams, a second", "list rate"),
    Line("warm page of 100 merged members, a second", "merged rate"),
    Line("PUT of a membership, 64 clients, a second", "put rate"),
    Line("memory after the start, MB", "idle memory", 0, SPACE, "memory at the start"),
    Line("memory with everything loaded, MB", "loaded memory", 0, SPACE, "memory, loaded"),
    Line("file after the import, MB", "file", 1, SPACE, "file"),
]
# Growth by the exponent of the number of people, between the two largest sizes; each word up to its limit.
WORDS = [(-0.15, "falls"), (0.15, "flat"), (0.85, "more slowly"), (1.15, "with the people"), (math.inf, "faster")]


def compared(key, found):
    """The last size to the one before it, and a word for the growth."""
    if len(found) < 2:
        return ["-", "-"]
    before, last = found[-2:]
    ratio = last[key] / before[key]
    exponent = math.log(ratio) / math.log(last["people"] / before["people"])
    return [f"{ratio:.2f}", next(word for limit, word in WORDS if exponent < limit)]


def table(found):
    sizes = [f"{size['people']:,}" for size in found]
    head = ["People", *sizes, f"{sizes[-1]} to {sizes[-2]}" if len(found) > 1 else "-", "Growth"]
    lines = [head, ["---"] + ["---:"] * (len(head) - 2) + ["---"], *(line.cells(found) for line in LINES)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def panels(found):
    """The panels of the plot, in the order of the table."""
    titles = dict.fromkeys(line.panel for line in LINES if line.panel)
    return [plot.Panel(title, [plot.Series(line.label, [(size["people"], size[line.key]) for size in found])
                               for line in LINES if line.panel == title]) for title in titles]


def what_grows(found):
    """What the plot shows, by the word for its growth."""
    by_word = {}
    for line in LINES:
        if line.panel:
            by_word.setdefault(compared(line.key, found)[-1], []).append(line.name.rsplit(", ", 1)[0])
    sentences = {"flat": "Flat", "more slowly": "Grows more slowly than the people", "with the people": "Grows with the people",
                 "faster": "Grows faster than the people", "falls": "Falls"}
    return "\n".join(f"- {sentence}: {'; '.join(by_word[word])}." for word, sentence in sentences.items() if word in by_word)


def rows_of(size):
    """What the rows of the first requests are."""
    lists, merged = size["rows of first list"], size["rows of first merged"]
    of_lists = size["teams"]
    of_merged = size["teams"] + size["people"] + size["memberships"]
    return (f"At {size['people']:,} people, the first list reads {lists:,} rows: {lists / of_lists:.2f} for each team. The first "
            f"merged page reads {merged:,}: {merged / of_merged:.2f} for each team, person and membership.")


def write(found, options):
    """Writes the page and its plot."""
    # The page says whether anything had changed before it was written.
    page, docs = document(found, options), pathlib.Path(ROOT, "docs")
    docs.joinpath("growth.md").write_text(page, encoding="utf-8")
    docs.joinpath("growth.svg").write_text(plot.svg(panels(found)), encoding="utf-8")


def document(found, options):
    commit = run("git", "-C", str(ROOT), "describe", "--always", "--dirty=, with changes").strip()
    return f"""# Growth

Written by `./scripts/bench --growth` on {datetime.date.today().isoformat()}; do not edit. `GUILDHALL_SAMPLES` names the folder
of the generator.

Machine: {machine()}. {run(GUILDHALL, "--version").strip()}, commit {commit}, on SQLite.

![What grows with the organization](growth.svg)

Both axes of each panel are logarithmic. Along a dashed line, what is measured grows with the people.

{table(found)}

## What grows

The word in the last column follows from the ratio before it. Two runs of the same build differ by up to {SCATTER:.0%} on such
a machine, so a time or a memory is called flat up to {10 ** WORDS[1][0]:.1f} times at ten times the people. Counts of rows do not scatter.
Warm requests are listed here by their CPU time.

{what_grows(found)}

{rows_of(found[-1])}

## How it is measured

- **Data.** Made by the generator of the sample data: ten people and two repositories to a team, at most six levels of
  teams, and {growth.MEMBERSHIPS} memberships for each person who has any, as in the generator's own example with a million people.
- **Start.** Until `/readyz` answers 200; the median of {2 * growth.STARTS} starts. The files are in the cache of the system.
- **First requests.** Each is the first request after a start of its own, by a member: 30 teams of the organization, or
  100 merged members of one of its largest parents. From sending the request to the end of the response; medians of {growth.STARTS}.
- **Rows read.** The same start and request on a server that counts (`examples/rows_read.rs`). A row counts if a statement
  returns it to the program: the result of a `count(*)` is one row, and so is what a join makes of several. A read that takes
  longer than about a millisecond begins again on another thread, and what it has read until then is counted too.
- **Warm requests.** Server on one core, load on another, 64 connections, everything loaded. Medians of {options.rounds} rounds of
  {options.seconds} s, and of {growth.PUTS:,} requests for PUT. A response to PUT means that the membership is on the disk.
- **Memory.** Resident: two seconds after a start with no request but `/readyz`, and after all warm reads.
"""
