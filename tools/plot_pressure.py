#!/usr/bin/env python3
"""Draws the residual against work and against time, from what `freshet bench --pressure -o FILE`
wrote, as SVG.  Needs nothing but Python.

usage: tools/plot_pressure.py BENCH.json [--scene NAME] [--dim 2|3] [--cells N]
                              [--against work|time|both] [-o FILE.svg]

The first result that fits is drawn (default: the first there is).
"""
import argparse
import json
import math
import sys
from xml.sax.saxutils import escape

HEIGHT = 420
PANEL = {"top": 66, "bottom": 350, "width": 400, "left": 70, "pitch": 480}
PANELS = {"work": ("work", "work, in sweeps over the finest level"), "time": ("ms", "time, ms")}
# Okabe & Ito 2008: told apart by the colour-blind too
COLOURS = ["#0072b2", "#56b4e9", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#000000"]
LEAST = 1e-7


def name_of(solver):
    sweeps = solver.get("sweeps")
    return f"{solver['name']} V({sweeps},{sweeps})" if sweeps else solver["name"]


def choose(data, options):
    for result in data["results"]:
        if ((options.scene in (None, result["scene"])) and
                (options.dim in (None, result["dim"])) and
                (options.cells in (None, result["cells_per_axis"])) and
                not result["skipped"]):
            return result
    return None


def curves_of(result, key):
    """[(solver's name, colour, [(x, residual), ...])]; solvers without the key are left out."""
    curves = []
    for n, solver in enumerate(result["solvers"]):
        points = [(p[key], p["residual"]) for p in solver["history"]
                  if key in p and p[key] > 0 and p["residual"] > 0]
        if points:
            curves.append((name_of(solver), COLOURS[n % len(COLOURS)], points))
    return curves


class Panel:
    """One pair of logarithmic axes."""

    def __init__(self, left, curves):
        self.left, self.right = left, left + PANEL["width"]
        values = [x for _, _, points in curves for x, _ in points]
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        most = max(y for _, _, points in curves for _, y in points)
        self.top = max(0, math.ceil(math.log10(most)))
        self.bottom = math.log10(LEAST)

    def x(self, value):
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return self.left + part * (self.right - self.left)

    def y(self, value):
        part = (self.top - math.log10(max(value, LEAST))) / (self.top - self.bottom)
        return PANEL["top"] + part * (PANEL["bottom"] - PANEL["top"])


def text(x, y, words, anchor="middle", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(words)}</text>'


def power(exponent):
    if -2 <= exponent <= 3:
        return f"{10.0 ** exponent:g}"
    return f"1e{exponent}"


def draw_panel(panel, curves, label, tolerance):
    out = []
    for exponent in range(panel.low, panel.high + 1):
        x = panel.x(10.0 ** exponent)
        out.append(f'<line x1="{x:.1f}" y1="{PANEL["top"]}" x2="{x:.1f}" y2="{PANEL["bottom"]}" '
                   'class="grid"/>')
        out.append(text(x, PANEL["bottom"] + 18, power(exponent)))
    for exponent in range(round(panel.bottom), panel.top + 1):
        y = panel.y(10.0 ** exponent)
        out.append(f'<line x1="{panel.left}" y1="{y:.1f}" x2="{panel.right}" y2="{y:.1f}" '
                   'class="grid"/>')
        out.append(text(panel.left - 6, y + 4, f"1e{exponent}", "end"))
    y = panel.y(tolerance)
    out.append(f'<line x1="{panel.left}" y1="{y:.1f}" x2="{panel.right}" y2="{y:.1f}" '
               'class="goal"/>')
    for _, colour, points in curves:
        line = " ".join(f"{panel.x(x):.1f},{panel.y(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{line}" stroke="{colour}"/>')
        out += [f'<circle cx="{panel.x(x):.1f}" cy="{panel.y(y):.1f}" r="2" fill="{colour}"/>'
                for x, y in points]
    out.append(text((panel.left + panel.right) / 2, PANEL["bottom"] + 40, label))
    return out


def draw(result, tolerance, panels):
    width = PANEL["left"] + PANEL["pitch"] * len(panels) - 40
    title = (f"{result['dim']}D, {result['cells_per_axis']} cells along each axis, "
             f"{result['scene']}: {result['summary']}")
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" '
           'font-family="sans-serif" font-size="12">',
           '<style>.grid{stroke:#ddd}.goal{stroke:#888;stroke-dasharray:4 3}'
           'polyline{fill:none;stroke-width:1.8}</style>',
           f'<rect width="{width}" height="{HEIGHT}" fill="#fff"/>',
           text(width / 2, 20, title)]
    left = PANEL["left"]
    for key, label in panels:
        curves = curves_of(result, key)
        x = left
        for name, colour, _ in curves:
            out.append(f'<line x1="{x}" y1="46" x2="{x + 16}" y2="46" stroke="{colour}" '
                       'stroke-width="2.5"/>')
            out.append(text(x + 20, 50, name, "start"))
            x += 34 + 6.6 * len(name)
        if curves:
            out += draw_panel(Panel(left, curves), curves, label, tolerance)
        left += PANEL["pitch"]
    middle = (PANEL["top"] + PANEL["bottom"]) / 2
    out.append(text(16, middle, "true relative residual",
                    more=f' transform="rotate(-90 16 {middle})"'))
    out.append("</svg>\n")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(
        description="draws the residual against work and against time, as SVG")
    parser.add_argument("file", help="what freshet bench --pressure -o wrote")
    parser.add_argument("--scene")
    parser.add_argument("--dim", type=int)
    parser.add_argument("--cells", type=int)
    parser.add_argument("--against", choices=[*PANELS, "both"], default="both")
    parser.add_argument("-o", "--output", help="SVG file (default: standard output)")
    options = parser.parse_args()
    try:
        with open(options.file, encoding="utf-8") as file:
            data = json.load(file)
        if data.get("benchmark") != "pressure":
            raise ValueError("not written by 'freshet bench --pressure'")
    except (OSError, ValueError) as error:
        sys.exit(f"plot_pressure: {options.file}: {error}")
    result = choose(data, options)
    if result is None:
        have = sorted({f"{r['dim']}D {r['cells_per_axis']} {r['scene']}" for r in data["results"]})
        print(f"plot_pressure: {options.file}: no scene {options.scene or ''} of that size; "
              f"there are: {', '.join(have)}", file=sys.stderr)
        return 2
    panels = [PANELS[name] for name in PANELS if options.against in (name, "both")]
    picture = draw(result, data["tolerance"], panels)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(picture)
    else:
        sys.stdout.write(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
