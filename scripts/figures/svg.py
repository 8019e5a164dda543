# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of SVG that all pictures share: one look, legible on a light page and on a dark one."""
import html

# Marks have colours of their own, the rest those of the page: .ink writes, .line rules, .none is where nothing was measured.
STYLE = """<style>
.page { fill: #ffffff } .ink { fill: #24292f } .line { stroke: #d8dee4 } .none { fill: #eef1f4 }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117 } .ink { fill: #e6edf3 } .line { stroke: #30363d } .none { fill: #1c2129 }
}
</style>"""


def page(width, height, title, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" role="img" aria-label="{html.escape(title)}">')
    return "\n".join([head, STYLE, f'<rect class="page" width="{width}" height="{height}"/>', *parts, "</svg>"]) + "\n"


def text(x, y, words, anchor="start", size=12):
    return (f'<text class="ink" x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}">'
            f"{html.escape(words)}</text>")


def line(x1, y1, x2, y2):
    return f'<line class="line" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def bar(x, y, width, height, colour):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" rx="2" fill="{colour}"/>'


def curve(points, colour, width=1.5, dash=""):
    """A line through points (x, y)."""
    at = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline fill="none" stroke="{colour}" stroke-width="{width}"{dashes} points="{at}"/>'


def ring(x, y, colour, radius=4):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def dots(points, colour, size=2.6):
    """A dot at each of the points (x, y), as one path: a circle each would take three times the bytes."""
    at = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in points)
    return f'<path fill="none" stroke="{colour}" stroke-width="{size}" stroke-linecap="round" stroke-opacity="0.6" d="{at}"/>'
