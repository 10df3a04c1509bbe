"""Charts drawn as SVG by the server: they take their colours from the page's own. Pure."""

from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 640, 180
GRID = 4
# What stands for a profile, drawn around its place; the shapes differ, not the colours alone.
MARKS = {
    "front": "M-5,0 a5,5 0 1 0 10,0 a5,5 0 1 0 -10,0 Z",
    "start": "M-6,-6 H6 V6 H-6 Z",
    "champion": "M0,-9 L9,0 L0,9 L-9,0 Z",
}


def growth(kept: Sequence[int], holds: Sequence[int], label: str) -> str:
    """Draw how much was kept as an area, and how much of it held as a second line."""
    top = max([*kept, 1])
    lines = "".join(
        f'<line class="chart-grid" x1="0" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
        for y in (HEIGHT * step / GRID for step in range(GRID + 1))
    )
    points = _points(kept, top)
    area = f"M0,{HEIGHT} L{points} L{WIDTH},{HEIGHT} Z"
    return _chart(
        HEIGHT,
        label,
        f'{lines}<path class="chart-area" d="{area}"/>'
        f'<polyline class="chart-line" points="{points}"/>'
        f'<polyline class="chart-second" points="{_points(holds, top)}"/>',
    )


def density(counts: Sequence[int], label: str, height: int = 44) -> str:
    """Draw how many there are in each part of a span."""
    top, wide = max([*counts, 1]), WIDTH / max(1, len(counts))
    bars = "".join(
        f'<rect class="chart-bar" x="{place * wide + 1:.1f}" y="{height - tall:.1f}" '
        f'width="{wide - 2:.1f}" height="{tall:.1f}" rx="1.5"/>'
        for place, number in enumerate(counts)
        if (tall := _tall(number, top, height))
    )
    return _chart(height, label, bars)


def scatter(points: Sequence[tuple[float, float, str]], label: str) -> str:
    """Draw points by two numbers, the higher the better upwards; each has a mark of `MARKS`.

    Places are shares of the room there is, so that marks keep their shape at every width.
    """
    across, along = _shares([x for x, _, _ in points]), _shares([y for _, y, _ in points])
    grid = "".join(
        f'<line class="chart-grid" x1="0" x2="100%" y1="{y}%" y2="{y}%"/>'
        for y in range(0, 101, 25)
    )
    drawn = "".join(
        f'<svg x="{100 * x:.1f}%" y="{100 - 100 * y:.1f}%" overflow="visible">'
        f'<path class="dot {mark}" d="{MARKS[mark]}"/></svg>'
        for x, y, (_, _, mark) in zip(across, along, points, strict=True)
    )
    named = escape(label, quote=True)
    return f'<svg class="scatter" role="img" aria-label="{named}">{grid}{drawn}</svg>'


def mark(name: str) -> str:
    """Draw one mark alone, for a legend."""
    return (
        '<svg class="mark-alone" viewBox="-10 -10 20 20" aria-hidden="true">'
        f'<path class="dot {name}" d="{MARKS[name]}"/></svg>'
    )


def _shares(values: Sequence[float]) -> list[float]:
    """Give where each stands between the least and the most, with room at both ends."""
    low, span = min(values), max(values) - min(values)
    return [0.08 + 0.84 * ((value - low) / span if span else 0.5) for value in values]


def _tall(number: int, top: int, height: int) -> float:
    """Give the height of a bar; the square root keeps a few visible beside many."""
    return max(2.0, height * (number / top) ** 0.5) if number else 0.0


def _points(values: Sequence[int], top: int) -> str:
    last = max(1, len(values) - 1)
    return " ".join(
        f"{WIDTH * place / last:.1f},{HEIGHT - HEIGHT * value / top:.1f}"
        for place, value in enumerate(values)
    )


def _chart(height: int, label: str, inside: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height}" preserveAspectRatio="none" '
        f'role="img" aria-label="{escape(label, quote=True)}">{inside}</svg>'
    )
