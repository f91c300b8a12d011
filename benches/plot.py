"""Small plots with logarithmic axes, as SVG. Colors are of middle brightness, because the page behind may be light or dark."""
import dataclasses
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, COLUMNS = 480, 320, 2
LEFT, RIGHT, TOP, BOTTOM = 56, 158, 40, 58
TEXT, GRID = "#7a828c", "#8b949e"
COLORS = ["#3b82f6", "#e0780a", "#2f9e57", "#c84fb0"]
# The least distance of two labels.
APART = 15
# So that small differences look small.
LEAST_DECADES = 3


@dataclasses.dataclass
class Series:
    """A line with points (x, y), labeled at its end."""

    label: str
    points: list


@dataclasses.dataclass
class Panel:
    """A plot with a title; all of its series have the same unit."""

    title: str
    series: list

    def __post_init__(self):
        points = [point for series in self.series for point in series.points]
        self.columns, self.rows = (decades([point[axis] for point in points]) for axis in (0, 1))

    def x(self, value):
        return LEFT + share(value, self.columns) * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        return HEIGHT - BOTTOM - share(value, self.rows) * (HEIGHT - TOP - BOTTOM)


def decades(values):
    """The exponents of the powers of ten around these values."""
    least, most = math.floor(math.log10(min(values)) + 1e-9), math.ceil(math.log10(max(values)) - 1e-9)
    while most - least < LEAST_DECADES:
        least, most = (least, most + 1) if (most - least) % 2 else (least - 1, most)
    return least, most


def share(value, axis):
    """How far along the axis a value is, from 0 to 1."""
    least, most = axis
    return (math.log10(value) - least) / (most - least)


def named(exponent):
    """A power of ten as people write it."""
    if exponent < 0:
        return f"{10.0 ** exponent:g}"
    return f"{10 ** (exponent % 3)}{['', 'k', 'M', 'G'][exponent // 3]}"


def line(x1, y1, x2, y2, style):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{GRID}" {style}/>'


def text(x, y, words, style=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'


def grid(panel):
    """The title, and a line with its number for each power of ten."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    yield text(LEFT, 22, panel.title, 'font-weight="600" font-size="14"')
    for exponent in range(panel.rows[0], panel.rows[1] + 1):
        y = panel.y(10.0 ** exponent)
        yield line(LEFT, y, right, y, 'stroke-opacity="0.3"')
        yield text(LEFT - 8, y + 4, named(exponent), 'text-anchor="end"')
    for exponent in range(panel.columns[0], panel.columns[1] + 1):
        x = panel.x(10.0 ** exponent)
        yield line(x, TOP, x, bottom, 'stroke-opacity="0.3"')
        yield text(x, bottom + 18, named(exponent), 'text-anchor="middle"')
    yield text((LEFT + right) / 2, bottom + 36, "people", 'text-anchor="middle"')


def guide(panel):
    """Dashed: what grows with x and ends where the highest series ends; only the part that is inside."""
    x, y = max((series.points[-1] for series in panel.series), key=lambda point: point[1])
    begin = max(10.0 ** panel.columns[0], 10.0 ** panel.rows[0] * x / y)
    yield line(panel.x(begin), panel.y(y * begin / x), panel.x(x), panel.y(y), 'stroke-dasharray="3 4"')


def heights(panel):
    """Where the label of each series goes: beside its end, but none over another."""
    ends = sorted((panel.y(series.points[-1][1]), place) for place, series in enumerate(panel.series))
    found, least = {}, TOP
    for y, place in ends:
        least = found[place] = max(y, least)
        least += APART
    return found


def curves(panel):
    """Each series: its line, its points, and its label in the same color."""
    labels = heights(panel)
    for place, (series, color) in enumerate(zip(panel.series, COLORS)):
        points = [(panel.x(x), panel.y(y)) for x, y in series.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2" stroke-linejoin="round"/>'
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}"/>' for x, y in points)
        yield text(points[-1][0] + 12, labels[place] + 4, series.label, f'style="fill:{color}" font-weight="600"')


def svg(panels):
    """The panels side by side, as a file."""
    width, height = WIDTH * COLUMNS, HEIGHT * math.ceil(len(panels) / COLUMNS)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
             f'font-family="system-ui, sans-serif" font-size="12.5" fill="{TEXT}">']
    for place, panel in enumerate(panels):
        row, column = divmod(place, COLUMNS)
        parts += [f'<g transform="translate({column * WIDTH} {row * HEIGHT})">', *grid(panel), *guide(panel),
                  *curves(panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"
