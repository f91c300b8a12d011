"""docs/instructions.md: what a request takes, and how that is compared with what was counted."""
import dataclasses
import re

from callgrind import ENGINES
from measure import ROOT, Failed

PAGE = ROOT / "docs" / "instructions.md"
# How far a row may be above its committed value.
MARGIN = 0.03
# Pages, which may take so many times the instructions of the operations that they ask.
PAGES = ("page of a team", "page of the organization", "board of 30 discussions")
TIMES = 4
COMPILER = re.compile(r"^Counted with (.+)\.$", re.MULTILINE)
ROW = re.compile(r"^\| ([^|]+) \| ([\d,]+) \|", re.MULTILINE)

HEAD = """# Instructions per request

Written by `./scripts/instructions --write`; do not edit.

Counted with {compiler}.

Each number is a mean over the requests of its row; those that warm up are not counted. Deliveries, and the batches of
writes, are counted one by one, and the median is shown. One thread serves the requests and sends them, so the instructions
of a very small client are included. The store's own threads are counted too; on PostgreSQL, the server's processes are not.
The build is optimized less than a release and without link-time optimization, and shares its dependencies with the tests
(`benches/instructions.toml`). Keys of hash tables differ from run to run. Each read other than the warm ones has a parameter
that means nothing, so that it is not answered with the cached response of another. A webhook delivery is what the worker
does for one change: it reads the journal, makes one attempt, stores the result, and looks for more. A page takes at most
four times the instructions of the operations that it asks: their authorization, statements and records.
"""


@dataclasses.dataclass
class Page:
    """The compiler, and for each engine the instructions of a request by row, perhaps with what PostgreSQL was asked."""

    compiler: str
    engines: dict

    @classmethod
    def read(cls):
        """The committed page."""
        text = PAGE.read_text(encoding="utf-8")
        compiler = COMPILER.search(text)
        if not compiler:
            raise Failed(f"{PAGE} does not say with what it was counted")
        sections = {part.split("\n", 1)[0]: part for part in text.split("\n## ")[1:]}
        engines = {engine: {name: (int(number.replace(",", "")),) for name, number in ROW.findall(sections.get(engine, ""))}
                   for engine in ENGINES}
        return cls(compiler.group(1), engines)

    def text(self):
        """The page as Markdown."""
        return HEAD.format(compiler=self.compiler) + "".join(table(name, rows) for name, rows in self.engines.items())


def table(engine, rows):
    """The section of one engine."""
    heads = ["Row", "Instructions"] + (["Statements", "Round trips"] if engine == "PostgreSQL" else [])
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1)]
    for name, (instructions, *asked) in rows.items():
        lines.append([name, f"{instructions:,.0f}", *(f"{number:.1f}" for number in asked[:len(heads) - 2])])
    return f"\n## {engine}\n\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def compare(committed, counted):
    """Prints each row, and returns how many pass and how many fail."""
    same, passed, failed = committed.compiler == counted.compiler, 0, 0
    if not same:
        print(f"{PAGE.name} was counted with {committed.compiler}, this with {counted.compiler}: no row can fail")
    for engine in ENGINES:
        old, new = committed.engines[engine], counted.engines[engine]
        for name in [*new, *(name for name in old if name not in new)]:
            verdict, fails = judge(old.get(name), new.get(name))
            fails = fails and same
            passed, failed = passed + (not fails), failed + fails
            print(f"{'FAILED' if fails else 'ok    '}  {engine}, {name}: {verdict}")
        for name in PAGES:
            instructions, _, _, in_operations = new[name]
            times = instructions / in_operations
            fails = times > TIMES
            passed, failed = passed + (not fails), failed + fails
            print(f"{'FAILED' if fails else 'ok    '}  {engine}, {name}: {times:.1f} times its operations, at most {TIMES}")
    if failed:
        print("If a change is worth it, commit the page of scripts/instructions --write with the change, and say why.")
    return passed, failed


def judge(old, new):
    """What is to say about a row, and whether it is too high, or only on the page or only counted."""
    if old is None or new is None:
        return ("not on the page" if old is None else "not counted"), True
    change = new[0] / old[0] - 1
    return f"{new[0]:,.0f}, committed {old[0]:,} ({change:+.1%})", change > MARGIN
