"""Flame graphs: folds the output of `perf script`, demangles Swift's symbols, and draws an SVG with zoom and search."""

import html
import os
import re
import subprocess
from collections import Counter, namedtuple

import lib

# A function in the drawing: its name, and the part of the program that it belongs to.
Frame = namedtuple("Frame", "name room")

# The parts of the program, and their colours.
ROOMS = {
    "corinth": ("Corinth", "#e8743b"),
    "scenario": ("the scenario", "#e5b83e"),
    "swift": ("Swift's runtime", "#9a7fd1"),
    "system": ("the system's libraries", "#6fa8c9"),
    "kernel": ("the kernel", "#9aa3a8"),
}

FRAME = re.compile(r"^\s+([0-9a-f]+) (.*) \(([^()]*(?:\([^()]*\))?[^()]*)\)$")


# MARK: Folding


def samples(lines):
    """Yields the samples in the output of `perf script -F comm,tid,…,ip,sym,dso`: header and frames, innermost first."""
    header, frames = None, []
    for line in lines:
        if not line.strip():
            if header is not None:
                yield header, frames
            header, frames = None, []
        elif line[0] != "\t":
            if header is not None:
                yield header, frames
            header, frames = line.strip(), []
        elif found := FRAME.match(line.rstrip("\n")):
            frames.append((found[2], found[3], int(found[1], 16)))
    if header is not None:
        yield header, frames


def folded(lines):
    """Counts each stack, outermost function first, with demangled names."""
    counts = Counter()
    for _, frames in samples(lines):
        stack = [(symbol, image, address >= 1 << 63) for symbol, image, address in reversed(frames)]
        counts[tuple(stack or [("[unknown]", "[unknown]", False)])] += 1
    return named(counts)


def named(counts):
    """Returns the same stacks with demangled names and without uninformative frames."""
    names = demangled({symbol for stack in counts for symbol, _, _ in stack})
    result = Counter()
    for stack, count in counts.items():
        frames = []
        for symbol, image, in_kernel in stack:
            frame = Frame(names[symbol], room(symbol, image, in_kernel))
            # Frames that only pass a call on are left out: thunks, and the code that unpacks a closure's captures.
            if not frame.name.startswith("thunk for ") and not (frames[-1:] == [frame] and symbol.endswith("TA")):
                frames.append(frame)
        result[tuple(trimmed(frames or [frame]))] += count
    return result


def trimmed(frames):
    """Removes the unknown frames at the outer end: above `main`, frame pointers are invalid."""
    start = 0
    while start < len(frames) - 1 and frames[start].name == "[unknown]":
        start += 1
    return frames[start:]


def fold(data):
    return folded(lib.script(data, "comm,tid,ip,sym,dso"))


def demangled(symbols):
    """Returns the Swift name of each symbol."""
    bare = {symbol: re.sub(r"\+0x[0-9a-f]+$", "", symbol) for symbol in symbols}
    mangled = sorted({name for name in bare.values() if re.match(r"_?\$[sS]", name)})
    plain = {}
    if mangled:
        done = subprocess.run(["swift", "demangle", "--simplified"], input="\n".join(mangled) + "\n",
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise lib.Fault(f"`swift demangle` failed: {lib.last_line(done.stderr)}")
        plain = dict(zip(mangled, done.stdout.splitlines()))
    return {symbol: simplified(plain.get(name, name)) for symbol, name in bare.items()}


def simplified(name):
    """Removes the compiler's prefixes: an inlined or specialised function counts as the same function."""
    if name == "[unknown]" or not name:
        return "[unknown]"
    before = None
    while before != name:
        before = name
        name = re.sub(r"^(generic |function signature |closure |capture promotion )?"
                      r"(not re-abstracted )?(specialization|specialized) (<[^>]*> )?(of )?", "", name)
        name = re.sub(r"^(partial apply for|partial apply forwarder for|merged|outlined) ", "", name)
    return name


def room(symbol, image, in_kernel=False):
    """Returns the part of the program that a function belongs to. Inlined and specialised functions keep their module."""
    image = os.path.basename(image)
    if in_kernel or image.startswith("[kernel") or image in ("[vdso]", "[vsyscall]"):
        return "kernel"
    if image.startswith("libswift") or re.match(r"_*swift_", symbol) or re.match(r"_?\$[sS]s", symbol):
        return "swift"
    if re.match(r"_?\$[sS]7Corinth", symbol) or re.match(r"corinth_(?!bench)", symbol):
        return "corinth"
    if re.match(r"lib|ld-|\[unknown\]|\[", image):
        return "system"
    return "scenario"


def shortened(name, length):
    return name if len(name) <= length else name[: max(1, length - 1)] + "…"


# MARK: Drawing


class Node:
    """A function at one position in the stacks, with its weights."""

    __slots__ = ("frame", "now", "before", "inner")

    def __init__(self, frame):
        self.frame, self.now, self.before, self.inner = frame, 0.0, 0.0, {}


def tree(stacks, before=None):
    """Returns all stacks as one tree. `before` has the other build's stacks, for the nodes' second weight."""
    root = Node(Frame("all", "system"))
    for attribute, some in (("now", stacks), ("before", before or {})):
        for frames, weight in some.items():
            node = root
            setattr(node, attribute, getattr(node, attribute) + weight)
            for frame in frames:
                if frame.name not in node.inner:
                    node.inner[frame.name] = Node(frame)
                node = node.inner[frame.name]
                setattr(node, attribute, getattr(node, attribute) + weight)
    return root


def scaled(stacks, factor):
    return {frames: count * factor for frames, count in stacks.items()}


# In pixels. The width of a letter is approximate.
WIDTH, ROW, MARGIN, HEAD, FOOT, LETTER = 1200, 18, 10, 62, 30, 7.4


def svg(stacks, title, subtitle, unit, before=None, own="the scenario"):
    """Returns the graph as one file. The weights are in `unit`. With `before`, colours show the differences. `own` is what the code
    of the program is called."""
    root = tree(stacks, before)
    rooms = {name: own if name == "scenario" else text for name, (text, _) in ROOMS.items()}
    if root.now <= 0:
        raise lib.Fault("there are no samples: use --seconds for a longer run")
    least = root.now * 0.1 / WIDTH
    boxes, depth = [], 0

    def place(node, start, level):
        nonlocal depth
        depth = max(depth, level)
        boxes.append((node, start, level))
        for inner in sorted(node.inner.values(), key=lambda inner: inner.frame.name):
            if inner.now >= least:
                place(inner, start, level + 1)
                start += inner.now

    place(root, 0.0, 0)
    height = HEAD + (depth + 1) * ROW + FOOT
    pieces = [opening(height, title, subtitle)]
    for node, start, level in boxes:
        pieces.append(box(node, root, start, height - FOOT - (level + 1) * ROW, unit, before is not None, rooms))
    pieces.append(legend(height, before is not None, rooms))
    pieces.append(f"<script><![CDATA[{SCRIPT}]]></script></svg>\n")
    return "".join(pieces)


def box(node, root, start, top, unit, differs, rooms):
    share = node.now / root.now
    left = MARGIN + start / root.now * (WIDTH - 2 * MARGIN)
    width = share * (WIDTH - 2 * MARGIN)
    name = html.escape(node.frame.name)
    told = f"{name} — {rooms[node.frame.room]}, {share:.1%}, {node.now:.3g} {unit}"
    if differs:
        told += f", {node.now - node.before:+.3g} against the other build"
    fill = difference(node, root) if differs else shade(node.frame)
    label = html.escape(shortened(node.frame.name, int((width - 4) / LETTER))) if width > 24 else ""
    return (f'<g class="f" data-x="{start / root.now:.6f}" data-w="{share:.6f}"><title>{told}</title>'
            f'<rect x="{left:.2f}" y="{top}" width="{max(0.1, width - 0.3):.2f}" height="{ROW - 1}" fill="{fill}"/>'
            f'<text x="{left + 3:.2f}" y="{top + 13}">{label}</text></g>\n')


def shade(frame):
    """Returns the part's colour, slightly varied by the function's name, so that neighbours differ."""
    number = int(ROOMS[frame.room][1][1:], 16)
    change = sum(map(ord, frame.name)) % 31 - 15
    parts = [max(0, min(255, (number >> shift & 255) + change)) for shift in (16, 8, 0)]
    return "#%02x%02x%02x" % tuple(parts)


def difference(node, root):
    """Returns red if the function takes more than in the other build, blue if less; paler for smaller differences."""
    change = (node.now - node.before) / max(root.now, root.before)
    strength = min(1.0, abs(change) ** 0.5 * 1.5)
    faded = round(245 * (1 - strength) + 70 * strength)
    return "#%02x%02x%02x" % ((245, faded, faded) if change > 0 else (faded, faded, 245))


def opening(height, title, subtitle):
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">
<style>
  svg {{ background: #fbfaf8; font: 12px ui-monospace, Menlo, Consolas, monospace; }}
  .f {{ cursor: pointer; }} .f:hover rect {{ stroke: #222; stroke-width: 1; }} .f text {{ pointer-events: none; }}
  .found rect {{ fill: #c13bd6; }} .outer {{ opacity: 0.45; }} .gone {{ display: none; }}
  .control {{ cursor: pointer; fill: #2a62b5; }} .title {{ font-size: 16px; font-weight: bold; }}
</style>
<text class="title" x="{MARGIN}" y="22">{html.escape(title)}</text>
<text x="{MARGIN}" y="40">{html.escape(subtitle)}</text>
<text class="control" id="search" x="{WIDTH - MARGIN}" y="22" text-anchor="end">search (/)</text>
<text class="control gone" id="reset" x="{WIDTH - MARGIN - 100}" y="22" text-anchor="end">whole graph (Esc)</text>
<text id="matched" x="{WIDTH - MARGIN}" y="40" text-anchor="end"></text>
<text id="about" x="{MARGIN}" y="{height - 10}"></text>
"""


def legend(height, differs, rooms):
    own = [(rooms[name], colour) for name, (_, colour) in ROOMS.items()]
    entries = [("takes more", "#f54646"), ("takes less", "#4646f5")] if differs else own
    pieces, left = ['<g id="legend">'], MARGIN
    for text, colour in entries:
        pieces.append(f'<rect x="{left}" y="{height - 20}" width="12" height="12" fill="{colour}"/>'
                      f'<text x="{left + 16}" y="{height - 10}">{html.escape(text)}</text>')
        left += 36 + 7.4 * len(text)
    return "".join(pieces) + "</g>\n"


# Zooms on a click, searches by regular expression, and describes the box under the pointer.
SCRIPT = """
(function () {
  var WIDTH = %d, MARGIN = %d, LETTER = %s, inner = WIDTH - 2 * MARGIN;
  var boxes = [].slice.call(document.querySelectorAll(".f")).map(function (g) {
    var told = g.querySelector("title").textContent;
    return { g: g, rect: g.querySelector("rect"), text: g.querySelector("text"), told: told,
             name: told.slice(0, told.lastIndexOf(" \\u2014 ")),
             x: +g.dataset.x, w: +g.dataset.w, y: +g.querySelector("rect").getAttribute("y") };
  });
  var pick = function (id) { return document.getElementById(id); };
  var query = null;

  function zoom(to) {
    boxes.forEach(function (b) {
      var within = b.x >= to.x - 1e-6 && b.x + b.w <= to.x + to.w + 1e-6 && b.y <= to.y;
      var outer = b.y > to.y && b.x <= to.x + 1e-6 && b.x + b.w >= to.x + to.w - 1e-6;
      b.g.classList.toggle("gone", !within && !outer);
      b.g.classList.toggle("outer", outer);
      if (!within && !outer) return;
      var left = outer ? 0 : (b.x - to.x) / to.w, width = (outer ? 1 : b.w / to.w) * inner;
      b.rect.setAttribute("x", MARGIN + left * inner);
      b.rect.setAttribute("width", Math.max(0.1, width - 0.3));
      b.text.setAttribute("x", MARGIN + left * inner + 3);
      var room = Math.floor((width - 4) / LETTER);
      b.text.textContent = width <= 24 ? "" : b.name.length <= room ? b.name
        : b.name.slice(0, Math.max(1, room - 1)) + "\\u2026";
    });
    pick("reset").classList.toggle("gone", to.w > 0.999999);
  }

  function search() {
    var asked = prompt("Functions whose name matches (a regular expression; nothing to end the search):", query || "");
    if (asked === null) return;
    query = asked;
    var pattern = null;
    try { if (query) pattern = new RegExp(query, "i"); } catch (e) { alert(e.message); return; }
    var spans = [];
    boxes.forEach(function (b) {
      var found = pattern !== null && pattern.test(b.name);
      b.g.classList.toggle("found", found);
      if (found) spans.push([b.x, b.x + b.w]);
    });
    // Boxes above a match are already part of it.
    spans.sort(function (a, b) { return a[0] - b[0]; });
    var sum = 0, end = 0;
    spans.forEach(function (s) { sum += Math.max(0, s[1] - Math.max(s[0], end)); end = Math.max(end, s[1]); });
    pick("matched").textContent = pattern ? "matched: " + (100 * sum).toFixed(1) + " %%" : "";
  }

  function whole() { zoom({ x: 0, w: 1, y: Infinity }); }
  boxes.forEach(function (b) {
    b.g.addEventListener("click", function () { zoom(b); });
    b.g.addEventListener("mouseover", function () {
      pick("about").textContent = b.told; pick("legend").classList.add("gone");
    });
    b.g.addEventListener("mouseout", function () {
      pick("about").textContent = ""; pick("legend").classList.remove("gone");
    });
  });
  pick("reset").addEventListener("click", whole);
  pick("search").addEventListener("click", search);
  addEventListener("keydown", function (e) {
    if (e.key === "Escape") whole();
    if (e.key === "/") { e.preventDefault(); search(); }
  });
})();
""" % (WIDTH, MARGIN, LETTER)
