"""Shows the live graph in a terminal: a list that is refreshed, and the details of one of its rows."""

import os
import re
import select
import signal
import sys
import termios
import time
import tty

import flames
import graph
import lib

COLOURS = {"bad": "31", "odd": "33", "good": "32"}
STYLES = {"head": "1", "faint": "2", "selected": "7"}

KEYS = {b"\x1b[A": "up", b"\x1bOA": "up", b"k": "up", b"\x1b[B": "down", b"\x1bOB": "down", b"j": "down", b"\x1b[5~": "page up",
        b"\x1b[6~": "page down", b"\x1b[H": "home", b"g": "home", b"\x1b[F": "end", b"G": "end", b"\r": "enter", b"\n": "enter",
        b"\x1b": "back", b"\x7f": "back", b"q": "quit", b"s": "sort", b"p": "pause", b"?": "help"}

KEY = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.S)

HELP = """q            quit
s            sort by the next: worst, rate, depth, waiting, age, kind
Up, Down     select (also j and k; PgUp, PgDn, Home, End)
Enter        the details of what is selected, and back
p            pause, and go on
?            this help, and back

alive        how many starts or observations of this place there are, or schedulers of this pool
made by      the function of the library that was called there
delivered/s  values that a hop has delivered, a second
wakes/s      how often a hop has asked its scheduler for a turn, a second
actions/s    actions that a pool has run, a second
depth        values that wait in an inbox or in the buffer of a hop, or actions of a scheduler, and the bound
peak         the deepest that was seen in it
delay        about how long a value waits in a hop: what is queued, by what is delivered
waiting      senders that wait for room
stalls       how often nothing was delivered for the stall timeout, and one more capacity was admitted
beyond       values that were queued beyond the bound, because a wait would have been a deadlock
dropped/s    values that a full hop has dropped, a second

Red: it is full, or waits. Yellow: it drops, stalls, goes beyond its bound, or becomes more and more."""


def styled(text, style):
    """Returns a text for a terminal. NO_COLOR forbids colours only: what is selected can still be seen."""
    code = STYLES.get(style) or not os.environ.get("NO_COLOR") and COLOURS.get(style)
    return f"\x1b[{code}m{text}\x1b[0m" if code and sys.stdout.isatty() else text


def style(sentence):
    return "bad" if sentence.is_bad else "odd" if sentence.urgency else "good"


def columns(rows, used, longest=None):
    """Returns the lines of a table of the used columns, with headings."""
    cells = [[row[index] if longest is None else flames.shortened(row[index], longest) for index in used]
             for row in (graph.HEADINGS, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join(cell.ljust(width) if graph.HEADINGS[index] in graph.LEFT else cell.rjust(width)
                      for cell, width, index in zip(row, widths, used)).rstrip() for row in cells]


class Terminal:
    """The terminal while the list is on it. It is restored however the tool ends."""

    def __enter__(self):
        self.input, self.saved = sys.stdin.fileno(), termios.tcgetattr(sys.stdin)
        # A signal, such as that of a new size, ends a wait for keys.
        self.awake, writer = os.pipe()
        for end in (self.awake, writer):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(writer)
        signal.signal(signal.SIGWINCH, lambda *_: None)
        # A shell without job control starts what it doesn't wait for with these two ignored.
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, lambda *_: sys.exit(130))
        signal.signal(signal.SIGTSTP, self.suspend)
        self.take()
        return self

    def __exit__(self, *_):
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        self.give_back()

    def take(self):
        tty.setcbreak(self.input)
        # An own screen, without a cursor and without line breaks at its edge.
        self.write("\x1b[?1049h\x1b[?25l\x1b[?7l")

    def give_back(self):
        try:
            self.write("\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l")
            termios.tcsetattr(self.input, termios.TCSAFLUSH, self.saved)
        except (OSError, termios.error):
            # The terminal is gone.
            pass

    def suspend(self, *_):
        self.give_back()
        os.kill(os.getpid(), signal.SIGSTOP)
        self.take()

    def write(self, text):
        sys.stdout.buffer.write(text.encode(errors="replace"))
        sys.stdout.buffer.flush()

    def wait(self, others, seconds):
        """Returns the keys that were pressed, and what else is ready."""
        ready, _, _ = select.select([self.input, self.awake, *others], [], [], seconds)
        if self.awake in ready:
            os.read(self.awake, 1000)
        keys = []
        if self.input in ready:
            read = os.read(self.input, 1000)
            keys = [KEYS.get(key) for key in KEY.findall(read)] if read else ["quit"]
        return keys, [one for one in ready if one in others]

    def draw(self, lines):
        width, height = os.get_terminal_size(self.input)
        drawn = [styled(text[:width], style) for text, style in lines(width, height)[:height]]
        self.write("\x1b[H" + "\r\n".join(f"\x1b[K{line}" for line in drawn) + "\x1b[J")


class List:
    """What is on the screen, and what is selected."""

    def __init__(self, view, order):
        self.order, self.mode, self.is_paused, self.note = order, "list", False, ""
        self.selected, self.top, self.scrolled, self.page, self.used = None, 0, 0, 10, set()
        self.update(view)

    def update(self, view):
        self.view, self.told = view, graph.sentences(view)
        self.sort()

    def sort(self):
        self.rows = graph.ordered(self.view.rows, self.order)
        self.index = {row.key: number for number, row in enumerate(self.rows)}
        self.lines_of_details = None

    @property
    def at(self):
        """The selected row's number. If the row is gone, that of the first."""
        return self.index.get(self.selected, 0)

    def press(self, key):
        steps = {"up": -1, "down": 1, "page up": -self.page, "page down": self.page, "home": -len(self.rows), "end": len(self.rows)}
        if key == "sort":
            names = list(graph.ORDERS)
            self.order = names[(names.index(self.order) + 1) % len(names)]
            self.sort()
        elif key == "pause":
            self.is_paused = not self.is_paused
        elif key == "help":
            self.mode, self.scrolled = "list" if self.mode == "help" else "help", 0
        elif key == "enter" and self.mode == "list" and self.rows:
            self.mode, self.scrolled, self.selected = "details", 0, self.rows[self.at].key
        elif key in ("enter", "back"):
            self.mode = "list"
        elif key in steps and self.mode != "list":
            self.scrolled = max(0, self.scrolled + steps[key])
        elif key in steps and self.rows:
            self.selected = self.rows[max(0, min(len(self.rows) - 1, self.at + steps[key]))].key

    def lines(self, width, height):
        """Returns the lines of the screen, with their styles."""
        state = "  ".join(part for part in (f"by {self.order}", "paused" if self.is_paused else "", self.note) if part)
        lines = [(f"{flames.shortened(graph.title(self.view), width - len(state) - 3)}   {state}", "head")]
        if self.mode == "list":
            lines += self.list(width, height - 2)
            keys = "q quit  s sort  ↑↓ select  Enter details  p pause  ? help"
        else:
            text = HELP.splitlines() if self.mode == "help" else self.details()
            self.page = max(1, height - 3)
            self.scrolled = min(self.scrolled, max(0, len(text) - self.page))
            lines += [("", None), *((line, None) for line in text[self.scrolled:][:self.page])]
            keys = "q quit  ↑↓ scroll  Enter back"
        lines = lines[:height - 1]
        return [*lines, *[("", None)] * (height - 1 - len(lines)), (keys, "faint")]

    def list(self, width, height):
        told, most = self.told, max(1, height // 4)
        lines = [(sentence.text, style(sentence)) for sentence in told[:most]]
        if len(told) > most:
            lines.append((f"and {len(told) - most} more", "faint"))
        lines.append(("", None))
        self.page = max(1, height - len(lines) - 1)
        self.top = max(0, min(self.top, self.at, len(self.rows) - self.page), self.at - self.page + 1)
        shown = self.rows[self.top:self.top + self.page]
        if not shown:
            return [*lines, ("there are no streams", "faint")]
        cells = [graph.cells(row) for row in shown]
        # A column appears with its first figure, and stays.
        self.used.update(graph.used_columns(cells))
        table = columns(cells, sorted(self.used), 32)
        lines.append((table[0], "head"))
        for row, line in zip(shown, table[1:]):
            look = "selected" if row is self.rows[self.at] else "bad" if row.is_bad else "odd" if row.is_odd else None
            lines.append((line.ljust(width) if look == "selected" else line, look))
        return lines

    def details(self):
        if self.lines_of_details is None:
            self.lines_of_details = graph.details(self.view, self.rows[self.at]) if self.selected in self.index else ["it is gone"]
        return self.lines_of_details


def show(subject, interval, order):
    """Shows a process, or a file, until the user quits."""
    *_, view = subject.views(interval, 0)
    shown, inspector = List(view, order), subject.inspector
    asked, due = None, time.monotonic() + interval
    with Terminal() as terminal:
        while True:
            terminal.draw(shown.lines)
            now = time.monotonic()
            if inspector and asked is None and not shown.is_paused and now >= due:
                inspector.ask()
                asked = now
            # While the process doesn't answer, keys still work.
            pause = 1 if asked is not None else max(0, due - now) if inspector and not shown.is_paused else None
            keys, ready = terminal.wait([inspector] if inspector else [], pause)
            for key in keys:
                if key == "quit":
                    return
                shown.press(key)
            if ready and (data := inspector.receive()):
                subject.places.add(data)
                shown.update(graph.View(data, shown.view))
                asked, due = None, asked + graph.pause_after(data, interval)
            silent = time.monotonic() - asked if asked is not None else 0
            shown.note = f"no answer for {silent:.0f} s" if silent > 2 * max(1, interval) else ""
