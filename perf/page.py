"""Draws the live graph as one page, without scripts: sentences, the graph in layers, and a table."""

import html as markup

import flames
import graph
import layout
import lib

# So many rows are drawn and listed, the worst first.
DRAWN, LISTED = 300, 1000

# The kinds with a colour of their own.
KINDS = ("stream", "hop", "start", "observation")

# How many parts a heat strip has, and in how many shades.
PARTS, SHADES = 50, 5


def html(views):
    """Returns the page of the last of some views, with the changes since the first, and the depths of all."""
    depths, count, first, last = {}, 0, None, None
    for last in views:
        for row in last.rows:
            if row.depth:
                depths.setdefault(row.key, {})[count] = row.depth
        first, count = first or last, count + 1
    view = graph.spanning(first, last)
    rows = graph.ordered(view.rows, "worst")
    drawn = [row for row in rows if row.kind not in graph.RUNNERS]
    strips = {row.key: strip(depths[row.key], count, row.capacity) for row in rows[:LISTED] if row.key in depths and count > 2}
    span = lib.duration(view.seconds * 1e9) if view.seconds else ""
    looks = f"{graph.counted(count, 'look')}" + (f" in {span}" if span else "")
    told = "".join(f'<li class="{"bad" if sentence.is_bad else "odd" if sentence.urgency else "good"}">{text(sentence.text)}</li>\n'
                   for sentence in graph.sentences(view))
    more = f"<p>The {lib.grouped(DRAWN)} worst of {lib.grouped(len(drawn))} are drawn.</p>" if len(drawn) > DRAWN else ""
    return f"""<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta charset="utf-8"/><title>{text(graph.title(view))}</title>
<meta name="viewport" content="width=device-width"/><meta name="color-scheme" content="light dark"/>
<style>{STYLE}</style></head><body>
<h1>{text(graph.title(view))}</h1><p>{looks}</p>
<ul>
{told}</ul>
{legend(drawn, strips)}
<div class="wide">{drawing(view, drawn[:DRAWN], strips)}</div>{more}
<div class="wide">{table(rows, strips, span)}</div>
</body></html>
"""


def text(value):
    return markup.escape(graph.clean(value))


def state(row):
    return "bad" if row.is_bad else "odd" if row.is_odd else "well"


def kind_class(row):
    return f"k-{row.kind if row.kind in KINDS else 'other'}"


def legend(rows, strips):
    kinds = [kind for kind in KINDS if any(row.kind == kind for row in rows)]
    parts = [f'<span><i class="k-{kind}"></i>{kind}</span>' for kind in kinds]
    parts.append('<span><svg width="28" height="8"><path class="edge waits" d="M0 4H28"/></svg>waits for room</span>')
    if strips:
        parts.append(f'<span><svg width="28" height="8" viewBox="0 0 {PARTS} 8" preserveAspectRatio="none">'
                     + "".join(f'<rect class="h{shade}" x="{shade * 10 - 10}" width="10" height="8"/>'
                               for shade in range(1, SHADES + 1))
                     + "</svg>depth over time, up to its bound or the deepest</span>")
    return f'<p class="legend">{"".join(parts)}</p>'


def strip(depths, count, capacity):
    """Returns what a heat strip consists of: of each stretch of time, its beginning, its length and its shade."""
    # An unbounded one is full at its deepest.
    full, stretches = capacity or max(depths.values()), []
    parts = min(PARTS, count)
    most = [0] * parts
    for look, depth in depths.items():
        at = look * parts // count
        most[at] = max(most[at], depth)
    for number, depth in enumerate(most):
        shade = min(SHADES, max(1, round(depth / full * SHADES))) if depth else 0
        start, length = number * PARTS / parts, PARTS / parts
        if stretches and stretches[-1][2] == shade:
            start, length = stretches[-1][0], stretches.pop()[1] + length
        stretches.append((start, length, shade))
    return stretches


def strip_svg(stretches, left, top, width, height):
    pieces = [f'<rect class="h{shade}" x="{start:.4g}" width="{length:.4g}" height="8"/>'
              for start, length, shade in stretches if shade]
    return (f'<svg class="strip" x="{left}" y="{top}" width="{width}" height="{height}" viewBox="0 0 {PARTS} 8" '
            f'preserveAspectRatio="none"><rect class="h0" width="{PARTS}" height="8"/>{"".join(pieces)}</svg>')


# In pixels: the space around the drawing, and about that of a letter.
MARGIN, LETTER = 14, 6.6


def drawing(view, rows, strips):
    by_key = {row.key: row for row in rows}
    waits = view.edges("waits")
    edges = [edge for edge in dict.fromkeys([*view.edges(), *waits]) if edge[0] in by_key and edge[1] in by_key]
    corners, routes, (width, height) = layout.placed(list(by_key), edges)
    pieces = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2 * MARGIN:.0f}" height="{height + 2 * MARGIN:.0f}" '
              f'viewBox="{-MARGIN} {-MARGIN} {width + 2 * MARGIN:.0f} {height + 2 * MARGIN:.0f}" role="img">'
              + "".join(f'<marker id="{name}" class="end {name}" viewBox="0 0 6 6" refX="6" refY="3" markerWidth="6" '
                        'markerHeight="6" orient="auto"><path d="M0 0L6 3L0 6z"/></marker>\n' for name in ("goes", "waits"))]
    # The waits are on top.
    for edge, points in sorted(routes.items(), key=lambda pair: pair[0] in waits):
        name = "waits" if edge in waits else "goes"
        pieces.append(f'<path class="edge {name}" d="{path(points)}" marker-end="url(#{name})">'
                      f"<title>{text(by_key[edge[0]].label)} → {text(by_key[edge[1]].label)}</title></path>\n")
    pieces += [box(row, *corners[row.key], strips.get(row.key)) for row in rows]
    return "".join(pieces) + "</svg>"


def path(points):
    """Returns an edge as curves between layers. An edge that leads back goes below."""
    (x, y), *rest = points
    pieces = [f"M{x:.0f} {y:.0f}"]
    for number, (to, height) in enumerate(rest):
        if to <= x:
            below = max(y, height) + layout.HEIGHT * 0.9
            pieces.append(f"C{x + 50:.0f} {below:.0f} {to - 50:.0f} {below:.0f} {to:.0f} {height:.0f}")
        elif number % 2:
            pieces.append(f"H{to:.0f}")
        else:
            pieces.append(f"C{(x + to) / 2:.0f} {y:.0f} {(x + to) / 2:.0f} {height:.0f} {to:.0f} {height:.0f}")
        x, y = to, height
    return "".join(pieces)


def box(row, left, top, stretches):
    what, figures = graph.summary(row)
    room = int((layout.WIDTH - 24) / LETTER)
    told = [f"{name}: {cell}" for name, cell in zip(graph.HEADINGS, graph.cells(row)) if cell]
    full = strip_svg(stretches, 12, layout.HEIGHT - 9, layout.WIDTH - 20, 5) if stretches else ""
    return (f'<g class="box {state(row)} {kind_class(row)}" transform="translate({left:.0f} {top:.0f})">'
            f'<title>{text("; ".join(told))}</title><rect class="back" width="{layout.WIDTH}" height="{layout.HEIGHT}" rx="5"/>'
            f'<rect class="bar" width="5" height="{layout.HEIGHT}" rx="2"/>'
            f'<text class="name" x="12" y="17">{text(flames.shortened(row.label, room))}</text>'
            f'<text x="12" y="32">{text(flames.shortened(what, room + 3))}</text>'
            f'<text x="12" y="46">{text(flames.shortened(figures, room + 3))}</text>{full}</g>\n')


def table(rows, strips, span):
    cells = [graph.cells(row) for row in rows[:LISTED]]
    used = graph.used_columns(cells)
    if not used:
        return ""
    sides = {index: "" if graph.HEADINGS[index] in graph.LEFT else ' class="number"' for index in used}
    head = "".join(f"<th{sides[index]}>{graph.HEADINGS[index]}</th>" for index in used)
    lines = []
    for row, line in zip(rows, cells):
        drawn = f"<td>{strip_svg(strips[row.key], 0, 0, 120, 8) if row.key in strips else ''}</td>" if strips else ""
        lines.append(f'<tr class="{state(row)}">' + "".join(f"<td{sides[index]}>{text(line[index])}</td>" for index in used)
                     + drawn + "</tr>\n")
    more = f"<p>and {lib.grouped(len(rows) - LISTED)} more</p>" if len(rows) > LISTED else ""
    return (f"<table><thead><tr>{head}{f'<th>depth over {span}</th>' if strips else ''}</tr></thead>\n"
            f"<tbody>{''.join(lines)}</tbody></table>{more}")


STYLE = """
:root { --back: #fbfaf8; --ink: #23211e; --faint: #6d6862; --line: #d9d4cc; --box: #ffffff; --edge: #a39c92; --bad: #c62f22;
        --odd: #a86a00; --good: #2c7d3f; --heat: #d4501c; }
@media (prefers-color-scheme: dark) {
  :root { --back: #1b1a18; --ink: #e9e5df; --faint: #a09a92; --line: #3a3733; --box: #262421; --edge: #77716a; --bad: #ff7a6b;
          --odd: #eab04a; --good: #7ccb8c; --heat: #ff8a4c; }
}
body { margin: 24px; background: var(--back); color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
h1 { font-size: 19px; margin: 0; } p { color: var(--faint); margin: 4px 0 12px; }
ul { list-style: none; padding: 0; margin: 12px 0; }
li { padding: 5px 12px; border-left: 4px solid; margin: 4px 0; background: var(--box); }
li.bad { border-color: var(--bad); } li.odd { border-color: var(--odd); } li.good { border-color: var(--good); }
.wide { overflow-x: auto; margin: 12px 0; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 12px; }
.legend span { display: flex; align-items: center; gap: 6px; }
.legend i { width: 10px; height: 10px; border-radius: 2px; background: var(--kind); }
.k-stream { --kind: #3f83c4; } .k-hop { --kind: #e0712f; } .k-start { --kind: #4b9b5c; } .k-observation { --kind: #8f9aa3; }
.k-other { --kind: #777777; }
.edge { fill: none; stroke: var(--edge); stroke-width: 1.3; }
.edge.waits { stroke: var(--bad); stroke-width: 2; stroke-dasharray: 6 4; }
.end { fill: var(--edge); } .end.waits { fill: var(--bad); }
.box .back { fill: var(--box); stroke: var(--line); } .box.bad .back { stroke: var(--bad); stroke-width: 2; }
.box.odd .back { stroke: var(--odd); stroke-width: 2; } .bar { fill: var(--kind); }
.box text { fill: var(--faint); font-size: 11px; } .box .name { fill: var(--ink); font-size: 12px; font-weight: 600; }
.h0 { fill: var(--line); } .h1, .h2, .h3, .h4, .h5 { fill: var(--heat); }
.h1 { fill-opacity: .25; } .h2 { fill-opacity: .45; } .h3 { fill-opacity: .65; } .h4 { fill-opacity: .85; }
table { border-collapse: collapse; font-size: 13px; } th, td { text-align: left; padding: 3px 12px 3px 0; white-space: nowrap; }
th { color: var(--faint); font-weight: 500; border-bottom: 1px solid var(--line); } td { border-bottom: 1px solid var(--line); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.bad td { color: var(--bad); } tr.odd td { color: var(--odd); }
"""
