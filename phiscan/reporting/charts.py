"""Charts as inline SVG: no request, no script, no date, the same bytes for the same numbers.

Each chart carries ``role="img"`` with a title and a description for readers who cannot see it.
Colours are Okabe and Ito's; shape and line style tell the arms apart without colour.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

INK, GREY, RULE = "#1f2933", "#5b6670", "#d9dee3"
_NOWHERE = (math.nan, math.nan)


class Style(NamedTuple):
    """How one arm is drawn."""

    colour: str
    marker: str
    line: str


STYLES: dict[str, Style] = {
    "scanned": Style("#D55E00", "o", "-"),
    "holdout": Style("#0072B2", "s", "--"),
    "control": Style("#009E73", "^", ":"),
}


class Point(NamedTuple):
    """A share with its interval; None is drawn as a gap, never as 0."""

    value: float | None
    low: float | None = None
    high: float | None = None


class Series(NamedTuple):
    """One arm's points, one per band of its panel."""

    arm: str
    label: str
    points: Sequence[Point]


class Panel(NamedTuple):
    """One pair of axes: bands along the bottom, shares upwards."""

    title: str
    bands: Sequence[str]
    axis: str
    series: Sequence[Series]
    shares: bool = True
    """False: other numbers than shares stand upwards."""
    apart: Sequence[int] = ()
    """Places of bands to which no line leads from the band before: the two do not compare."""


class CostPoint(NamedTuple):
    """One cheap run: its share of the full run's cost, how much it foretells, and what kind it is."""

    label: str
    cost_share: float
    point: Point
    full_size: bool
    """A checkpoint of a model as large as the full run, not a smaller model."""


class Bar(NamedTuple):
    """One category: the share recovered, what to write beside it, and the other arms' shares."""

    label: str
    note: str
    points: dict[str, Point]


def arm_panels(name: str, title: str, summary: str, panels: Sequence[Panel]) -> str:
    """SVG of shares by band, one panel beside the next, one series for each arm with intervals.

    Args:
        name: prefix of every id, unique in the page.
        title: short name of the chart, for assistive technology.
        summary: what the chart shows, in words and numbers.
        panels: one or more panels; they share one legend.

    """
    with _look(name):
        figure = _figure(height=3.5)
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for ax, panel in zip(axes, panels, strict=True):
            _draw_panel(ax, panel)
        _legend(figure, axes[0], left=0.03)
        figure.subplots_adjust(left=0.075, right=0.985, top=0.8, bottom=0.16, wspace=0.18)
        return _inline(_svg(figure), name=name, title=title, summary=summary)


def category_bars(name: str, title: str, summary: str, bars: Sequence[Bar], labels: dict[str, str]) -> str:
    """SVG of the share recovered per category: a bar for the scanned arm, marks for the others.

    ``labels`` names the arms in the legend; the other arguments are those of :func:`arm_panels`.
    """
    with _look(name):
        figure = _figure(height=0.77 + 0.3 * len(bars))
        ax = figure.subplots()
        limit = _limit(point for bar in bars for point in bar.points.values())
        for arm, label in labels.items():
            _draw_bars(ax, arm, label, [bar.points.get(arm, Point(None)) for bar in bars])
        for row, bar in enumerate(bars):
            ax.text(limit * 1.02, row, bar.note, va="center", color=INK, fontsize=9)
        ax.set_yticks(range(len(bars)), [bar.label for bar in bars])
        ax.set_ylim(len(bars) - 0.45, -0.55)
        ax.set_xlim(0, limit)
        _percent_axis(ax.xaxis, limit)
        ax.grid(axis="x", color=RULE, linewidth=0.7)
        ax.spines[["top", "right", "bottom"]].set_visible(False)
        ax.tick_params(length=0)
        inch = 1 / figure.get_figheight()
        figure.subplots_adjust(left=0.2, right=0.83, top=1 - 0.42 * inch, bottom=0.35 * inch)
        _legend(figure, ax, left=0.19)
        return _inline(_svg(figure), name=name, title=title, summary=summary)


def recall_against_cost(name: str, title: str, summary: str, points: Sequence[CostPoint]) -> str:
    """SVG of recall against the share of the full run's cost, on a logarithmic axis.

    A point without a recall is left out. The other arguments are those of :func:`arm_panels`.
    """
    with _look(name):
        figure = _figure(height=3.9)
        ax = figure.subplots()
        shown = [point for point in points if point.point.value is not None]
        ax.set_xscale("log")
        for label, full_size, arm in (
            ("smaller model", False, "scanned"),
            ("earlier checkpoint", True, "holdout"),
        ):
            _draw_costs(ax, [one for one in shown if one.full_size == full_size], label, STYLES[arm])
        _cost_axis(ax, [one.cost_share for one in shown])
        ax.set_xlabel("share of the full run's cost", color=GREY)
        ax.set_ylabel("recall", color=GREY)
        ax.set_ylim(-0.02, 1.04)
        _percent_axis(ax.yaxis, 1.0)
        ax.grid(color=RULE, linewidth=0.7)
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(length=0, which="both")
        figure.subplots_adjust(left=0.075, right=0.96, top=0.88, bottom=0.14)
        _legend(figure, ax, left=0.06)
        return _inline(_svg(figure), name=name, title=title, summary=summary)


def standalone(chart: str) -> str:
    """The chart as a document of its own, for a file that ends in .svg."""
    return chart.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + "\n"


def _legend(figure: Figure, ax: Axes, *, left: float) -> None:
    handles, labels = ax.get_legend_handles_labels()
    if handles:
        # Bars come last in what matplotlib returns; the scanned arm is to stand first.
        first = sorted(range(len(handles)), key=lambda index: hasattr(handles[index], "get_marker"))
        handles, labels = [handles[i] for i in first], [labels[i] for i in first]
        figure.legend(handles, labels, loc="upper left", ncol=3, frameon=False, bbox_to_anchor=(left, 1.0))


def _draw_panel(ax: Axes, panel: Panel) -> None:
    limit = _limit((point for series in panel.series for point in series.points), shares=panel.shares)
    shift = 0.09
    for index, series in enumerate(panel.series):
        style = STYLES[series.arm]
        offset = (index - (len(panel.series) - 1) / 2) * shift
        xs = [x + offset for x in range(len(panel.bands))]
        ys = [math.nan if point.value is None else point.value for point in series.points]
        line = [at for place, at in enumerate(zip(xs, ys, strict=True))
                for at in ([_NOWHERE, at] if place in panel.apart else [at])]  # fmt: skip
        ax.plot(*zip(*line, strict=True), style.line, color=style.colour, linewidth=1.6, marker=style.marker,
                markersize=6, markeredgecolor="white", markeredgewidth=0.8, label=series.label,
                zorder=3)  # fmt: skip
        for x, point in zip(xs, series.points, strict=True):
            if point.low is not None and point.high is not None:
                ax.plot([x, x], [point.low, point.high], color=style.colour, linewidth=1.6, zorder=2)
    ax.set_title(panel.title, loc="left", fontsize=10.5, color=INK, pad=8)
    ax.set_xticks(range(len(panel.bands)), panel.bands)
    ax.set_xlim(-0.5, len(panel.bands) - 0.5)
    ax.set_ylim(-limit * 0.02, limit)
    ax.set_xlabel(panel.axis, color=GREY)
    if panel.shares:
        _percent_axis(ax.yaxis, limit)
    ax.grid(axis="y", color=RULE, linewidth=0.7)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(length=0)


def _draw_bars(ax: Axes, arm: str, label: str, points: Sequence[Point]) -> None:
    style = STYLES[arm]
    drawn = [(row, point) for row, point in enumerate(points) if point.value is not None]
    if not drawn:
        return
    rows, shares = [float(row) for row, _ in drawn], [point.value or 0.0 for _, point in drawn]
    if arm == "scanned":
        ax.barh(rows, shares, height=0.56, color=style.colour, label=label, zorder=2)
        for row, point in drawn:
            if point.low is not None and point.high is not None:
                ax.plot([point.low, point.high], [row, row], color=INK, linewidth=1.3, zorder=3)
    else:
        rows = [row + (-0.17 if arm == "holdout" else 0.17) for row in rows]  # both are often at 0
        ax.plot(shares, rows, style.marker, color=style.colour, markersize=6, markeredgecolor="white",
                markeredgewidth=0.8, label=label, zorder=4, clip_on=False)  # fmt: skip


def _draw_costs(ax: Axes, points: Sequence[CostPoint], label: str, style: Style) -> None:
    if not points:
        return
    xs, ys = [one.cost_share for one in points], [one.point.value or 0.0 for one in points]
    ax.plot(xs, ys, style.marker, color=style.colour, markersize=7, markeredgecolor="white",
            markeredgewidth=0.8, label=label, zorder=3)  # fmt: skip
    for x, y, one in zip(xs, ys, points, strict=True):
        if one.point.low is not None and one.point.high is not None:
            ax.plot([x, x], [one.point.low, one.point.high], style.line, color=style.colour, zorder=2)
        ax.annotate(one.label, (x, y), xytext=(7, 4), textcoords="offset points", color=INK, fontsize=8.5)


def _cost_axis(ax: Axes, shares: Sequence[float]) -> None:
    """From below the cheapest, and a tenth at least, to the full run's own cost."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = min([*shares, 0.1]), max([*shares, 1.0])
    ax.set_xlim(low * 0.6, high * 1.25)
    ax.xaxis.set_major_locator(LogLocator(base=10))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{share * 100:g}%"))
    ax.xaxis.set_minor_formatter(NullFormatter())


def _limit(points: Iterable[Point], *, shares: bool = True) -> float:
    """A round upper end of an axis that holds every value and interval; of shares at most 1."""
    tops = [top for point in points for top in (point.value, point.high) if top is not None]
    highest = max([*tops, 1e-4]) * 1.04
    step = 10.0 ** math.floor(math.log10(highest))
    nice = next(step * factor for factor in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if step * factor >= highest)
    return min(nice, 1.0) if shares else nice


def _percent_axis(axis: Axis, limit: float) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    axis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    decimals = max(0, -math.floor(math.log10(limit * 100)) + 1) if limit < 0.1 else 0
    axis.set_major_formatter(PercentFormatter(xmax=1, decimals=decimals))


@contextmanager
def _look(name: str) -> Iterator[None]:
    """Drawing settings that do not depend on the user's own; ``name`` seeds the ids."""
    from matplotlib import style

    settings = {
        "svg.fonttype": "none",  # text stays text: it can be read aloud, searched and printed sharply
        "svg.hashsalt": name,
        "text.parse_math": False,
        "font.size": 9.5,
        "text.color": INK,
        "axes.edgecolor": GREY,
        "xtick.color": GREY,
        "ytick.color": INK,
    }
    with style.context(["default", settings]):
        yield


def _figure(*, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(9.6, height))


def _svg(figure: Figure) -> str:
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    return buffer.getvalue()


def _inline(document: str, *, name: str, title: str, summary: str) -> str:
    """Cut an SVG document down to an element that can stand in a page beside others."""
    body = document[document.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.DOTALL)
    body = re.sub(r'(\bid="|href="#|url\(#)', rf"\1{name}-", body).replace("xlink:href", "href")
    box = re.search(r'viewBox="[^"]*"', body)
    assert box is not None
    opening = (
        f'<svg {box[0]} role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(summary)}</desc>'
    )
    return opening + body[body.index(">") + 1 :].strip()
