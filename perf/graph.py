"""The live graph of a process, from what its inspector sends: figures, sentences, differences, and Graphviz's language."""

import json
import os
import re
from collections import Counter, namedtuple

import lib

SCHEMA = 1

# There are many of these. They are counted by place.
GROUPED = ("start", "observation")

# The lists of a snapshot whose elements say where they were made, or where their thread is.
PARTS = ("nodes", "schedulers", "starts", "observations", "deliveries")

# What runs hops. It isn't a part of the graph.
RUNNERS = ("scheduler", "pool")

# Something that a reader should know. What has a greater urgency stands first; `is_bad` if something can't go on.
Sentence = namedtuple("Sentence", "urgency is_bad text")


def parsed(text, where):
    """Returns a snapshot. What it has beside the expected is ignored."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise lib.Fault(f"{where} isn't a snapshot: it is no JSON")
    if not isinstance(data, dict) or "schema" not in data:
        raise lib.Fault(f"{where} isn't a snapshot of Corinth's: it has no schema")
    if data["schema"] != SCHEMA:
        raise lib.Fault(f"{where} has schema {clean(data['schema'])}, and this tool knows {SCHEMA}: "
                        "use that of the program's version of Corinth")
    stacks = listed(data, "stacks")
    for name in PARTS:
        data[name] = [part for part in listed(data, name) if isinstance(part, dict)]
        for part in data[name]:
            stack = part.get("made", part.get("at"))
            if type(stack) is int and 0 <= stack < len(stacks):
                part["frames"] = stacks[stack]
    data["nodes"] = [node for node in data["nodes"] if "id" in node and "kind" in node]
    data["schedulers"] = [{**one, "kind": "scheduler" if one.get("pool") is None else "pool", "depth": one.get("queued")}
                          for one in data["schedulers"] if "id" in one]
    return data


def pause_after(data, interval):
    """Returns how long to wait between two looks, in seconds: so long that they take at most a hundredth of a processor."""
    cost = data.get("cost")
    return max(interval, cost / 1e9 * 100 if type(cost) is int and 0 <= cost < 1e11 else 0)


def listed(data, name):
    value = data.get(name)
    return value if isinstance(value, list) else []


def pairs(data, name):
    return [tuple(map(str, pair)) for pair in listed(data, name) if isinstance(pair, list) and len(pair) == 2]


def clean(text):
    """Returns a name of the program without what would confuse a terminal or a page."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def cleaned(data, name):
    return clean(data[name]) if data.get(name) is not None else None


class Item:
    """A node or an observation."""

    def __init__(self, data, kind, identity):
        self.data, self.kind, self.id = data, kind, identity
        self.name, self.place, self.type, self.by = (cleaned(data, name) for name in ("name", "place", "type", "by"))
        self.since = self.figure("since")
        self.label = self.name or self.place
        if kind == "pool" and self.name:
            self.label = self.name.rpartition(".")[0] or self.name
        if not self.label:
            self.label = (self.type or "an unknown place") if kind in GROUPED else f"{kind} {identity}"

    def figure(self, name):
        value = self.data.get(name)
        return value if type(value) is int and abs(value) < 1 << 64 else None

    @property
    def count(self):
        """How many starts or observations this stands for."""
        return self.figure("count") or 1

    @property
    def is_full(self):
        """Whether senders wait, or would. Under the other policies a buffer may well be full."""
        depth, capacity = self.figure("depth"), self.figure("capacity")
        return (depth is not None and capacity is not None and depth >= capacity > 0
                and str(self.data.get("policy") or "blocking").startswith("blocking"))

    @property
    def noun(self):
        return {"hop": "buffer", "stream": "inbox"}.get(self.kind, "queue")

    @property
    def runner(self):
        """The identity of what runs a hop; None if that isn't known."""
        return cleaned(self.data, "runner")


class Row:
    """One node, or the starts or observations of one place, with their figures. What isn't known is None."""

    def __init__(self, key, members, view, before):
        self.key, self.members, self.kind = key, members, members[0].kind
        first = members[0]
        self.label, self.place, self.type, self.by = first.label, first.place, first.type, first.by
        self.noun = "scheduler" if self.kind == "pool" else self.kind
        self.count = sum(item.count for item in members)
        self.growth = (self.count - before.counts[key]) / view.seconds if view.seconds and self.kind in GROUPED else None
        self.delivered, self.posted, self.dropped, self.wakes = (
            view.rate(members, name) for name in ("delivered", "posted", "dropped", "wakes"))
        self.actions = view.rate(members, "executed")
        self.delay = view.delay(members, self.delivered)
        self.waiting, self.stalls, self.beyond = (total(members, name) for name in ("waiting", "stalls", "beyond"))
        self.new_stalls, self.new_beyond = (view.change(members, name) for name in ("stalls", "beyond"))
        fullest = max(members, key=filled)
        self.depth, self.capacity = fullest.figure("depth"), fullest.figure("capacity")
        self.peak = max(view.peaks[item.id] for item in members) if before and self.depth is not None else None
        begun = [item.since for item in members if item.since is not None]
        self.age = max(0, view.time - min(begun)) if begun and view.time is not None else None
        self.waits = any(item.id in view.waits for item in members)
        self.is_bad = self.waits or bool(self.waiting) or fullest.is_full

    @property
    def grows(self):
        return self.count >= MANY and (self.growth or 0) > 0

    @property
    def is_odd(self):
        return self.grows or any((self.dropped, self.new_stalls, self.new_beyond, self.has_stopped))

    @property
    def has_stopped(self):
        """Whether values stay in what delivers no more."""
        return self.members[0].data.get("stopped") is True and bool(self.depth)


# So many wake-ups a second are worth a sentence, if they are nearly as many as the values.
OFTEN = 2_000

# So many biases that were taken back are worth a sentence: after as many, a strand gives no more.
BIASES = 8

# So many starts or observations of one place are worth a sentence, if they become more.
MANY = 100


def total(members, name):
    known = [value for item in members if (value := item.figure(name)) is not None]
    return sum(known) if known else None


def filled(item):
    depth, capacity = item.figure("depth") or 0, item.figure("capacity")
    return depth / capacity if capacity else 0, depth


class View:
    """A snapshot, and how it differs from the view before it, if there is one."""

    def __init__(self, data, before=None):
        self.data, self.time = data, Item(data, "program", "").figure("time")
        self.items = {}
        for node in [*data["nodes"], *data["schedulers"]]:
            self.items[str(node["id"])] = Item(node, clean(node["kind"]), str(node["id"]))
        self.groups = [Item(part, kind, f"{kind} {number}") for kind in GROUPED
                       for number, part in enumerate(data[kind + "s"])]
        if before is not None and (before.data.get("pid") != data.get("pid") or None in (self.time, before.time)
                                   or self.time <= before.time):
            before = None
        self.begun, self.seconds = (before.time, (self.time - before.time) / 1e9) if before else (None, None)
        self.earlier = {}
        for identity, item in self.items.items() if before else ():
            old = before.items.get(identity)
            # Something new may have got the address, and so the identity, of something old.
            if old is not None and old.kind == item.kind and old.since == item.since:
                self.earlier[identity] = old
        self.waits = {}
        for one, other in pairs(data, "waits"):
            if one in self.items and other in self.items:
                self.waits.setdefault(one, []).append(other)
        self.full_since = self.lasting(lambda item, old: item.is_full, before and before.full_since, self.time)
        self.idle_since = self.lasting(is_idle, before and before.idle_since, self.begun)
        self.peaks = {identity: max(item.figure("depth") or 0, before.peaks[identity] if identity in self.earlier else 0)
                      for identity, item in self.items.items()}
        groups = {}
        for item in [*self.items.values(), *self.groups]:
            key = (item.kind, item.label if item.kind in GROUPED else cleaned(item.data, "pool") or item.id)
            groups.setdefault(key, []).append(item)
        self.counts = Counter({key: sum(item.count for item in members) for key, members in groups.items()})
        self.rows = [Row(key, members, self, before) for key, members in groups.items()]
        self.row_of = {item.id: row for row in self.rows for item in row.members}

    def lasting(self, holds, since, begun):
        """Returns since when something holds of items: for as long as the views before this saw it, or else from `begun`."""
        result = {}
        for identity, item in self.items.items():
            old = self.earlier.get(identity)
            if holds(item, old):
                result[identity] = since.get(identity, begun) if old else begun
        return result

    def change(self, members, name):
        """Returns by how much a figure has grown since the view before, of all members together."""
        if not self.seconds:
            return None
        known = [(value, self.earlier.get(item.id)) for item in members if (value := item.figure(name)) is not None]
        return sum(max(0, value - ((old.figure(name) or 0) if old else 0)) for value, old in known) if known else None

    def rate(self, members, name):
        change = self.change(members, name)
        return None if change is None else change / self.seconds

    def delay(self, members, delivered):
        """Returns for how long a value waits on average, in nanoseconds, by Little's law (1961): how many wait, by how many leave a
        second. How many wait is the mean of this look and the one before."""
        if not delivered:
            return None
        depths = [[look.figure("depth") for look in (item, self.earlier.get(item.id)) if look] for item in members]
        if any(None in known for known in depths):
            return None
        return sum(sum(known) / len(known) for known in depths) / delivered * 1e9 or None

    def lasted(self, since, identity):
        """Returns for how long something has held, in words, if more than one look saw it."""
        begun = since.get(identity)
        return lib.duration(self.time - begun) if begun is not None and self.time > begun else None

    def chain(self, start):
        """Returns the identities that a wait leads over, and whether it comes back to one of them."""
        path, seen = [start], {start}
        while following := self.waits.get(path[-1]):
            path.append(max(following, key=lambda identity: self.items[identity].figure("waiting") or 0))
            if path[-1] in seen:
                return path, True
            seen.add(path[-1])
        return path, False

    def edges(self, name="edges"):
        """Returns the edges between rows, each once, with its number."""
        found = Counter()
        ends = pairs(self.data, name)
        if name == "edges":
            for item in self.groups:
                of = item.data.get("of")
                ends += [(str(one), item.id) for one in (of if isinstance(of, list) else [of])]
        for one, other in ends:
            if one in self.row_of and other in self.row_of and self.row_of[one] is not self.row_of[other]:
                found[self.row_of[one].key, self.row_of[other].key] += 1
        return found


def spanning(first, last):
    """Returns the last of some views, with the changes since the first."""
    if first is last or last.begun == first.time:
        return last
    view = View(last.data, first)
    view.full_since, view.idle_since = last.full_since, last.idle_since
    return view


def is_idle(item, old):
    """Whether values wait in a hop, and none was delivered since the look before."""
    return bool(item.kind == "hop" and item.figure("depth") and old and old.figure("depth")
                and item.figure("delivered") is not None and item.figure("delivered") == old.figure("delivered"))


# MARK: Order

ORDERS = {
    "worst": lambda row: (-row.waits, -bool(row.waiting), -row.is_bad, -(row.waiting or 0), -row.is_odd,
                          -(row.new_stalls or 0) - (row.new_beyond or 0), -(row.dropped or 0), -(row.growth or 0),
                          -((row.depth or 0) / row.capacity if row.capacity else 0), -(row.depth or 0), -speed(row)),
    "rate": lambda row: -speed(row),
    "depth": lambda row: -(row.depth or 0),
    "waiting": lambda row: -(row.waiting or 0),
    "age": lambda row: -(row.age or 0),
    "kind": lambda row: row.kind,
}


def speed(row):
    return max(row.delivered or 0, row.posted or 0)


def ordered(rows, order):
    return sorted(rows, key=lambda row: (ORDERS[order](row), row.kind, row.label, row.key))


# MARK: Sentences


def sentences(view):
    """Returns what stands out, the worst first. Sentences that differ in nothing are one."""
    found = [*waits(view), *deliveries(view), *figures(view)]
    missed = view.data.get("missed")
    if type(missed) is int and missed > 0:
        found.append(Sentence(5, False, f"{counted(missed, 'object')} couldn't be looked at and {verb(missed)} missing here"))
    times = Counter(found)
    several = [sentence._replace(text=f"{sentence.text} ({count} times)" if count > 1 else sentence.text)
               for sentence, count in times.items()]
    return sorted(several, key=lambda sentence: -sentence.urgency) or [Sentence(0, False, "nothing waits")]


def verb(number):
    return "is" if number == 1 else "are"


def waits(view):
    """Yields what is full, with the chain of waits that begins there."""
    waited_for = {other for others in view.waits.values() for other in others}
    seen, told = set(), {}
    # First those for which nobody waits; what is left then is a circle.
    heads = [identity for identity in view.waits if identity not in waited_for]
    full = [item.id for item in view.items.values() if item.is_full]
    for identity in [*heads, *view.waits, *full]:
        if identity in seen:
            continue
        path, is_circle = view.chain(identity)
        seen.update(path)
        labels = tuple(view.items[one].label for one in path)
        # Of many that wait alike, the one that has waited longest is told.
        told.setdefault((labels, is_circle), []).append(path)
    for (labels, is_circle), paths in told.items():
        path = min(paths, key=lambda path: view.full_since.get(path[0], float("inf")))
        more = f", and {len(paths) - 1} like it" if len(paths) > 1 else ""
        text, rest = full_text(view, path, more)
        yield Sentence(100 if is_circle else 90, True, text + led(rest, is_circle))


def full_text(view, path, more):
    """Returns the beginning of a sentence about a chain, and the labels of its rest."""
    first, *rest = (view.items[one] for one in path)
    labels, lasted = [item.label for item in rest], [view.lasted(view.full_since, one) for one in path]
    if first.is_full or not rest:
        how = f"has been full for at least {lasted[0]}" if lasted[0] else "is full"
        return f"the {first.noun} of {first.label}{more} {how}", labels
    full = f", which has been full for at least {lasted[1]}" if lasted[1] else ""
    return f"{first.label}{more} waits for room in {labels[0]}{full}", labels[1:]


def led(rest, is_circle):
    if is_circle:
        return f"; the wait leads over {', '.join(rest[:-1])} back to {rest[-1]}" if rest[:-1] else "; the wait leads back to it"
    if not rest:
        return ""
    over = rest[:-1] if len(rest) < 6 else [*rest[:3], f"{len(rest) - 4} others"]
    return f"; the wait leads {'over ' + ', '.join(over) + ' ' if over else ''}to {rest[-1]}"


# What was over earlier isn't told any more, in nanoseconds.
RECENT = 60e9


def deliveries(view):
    """Yields the code that holds a stream for long, or did so lately; of a process that stood still for the look, all that holds one.
    What differs only in its calls is one."""
    found = {}
    for item in (Item(part, "delivery", "") for part in view.data["deliveries"]):
        ended = item.figure("ended")
        if ended is None or view.time is None or view.time - ended < RECENT:
            stood = item.figure("duration") is None and clean(item.data.get("thread") or item.figure("number"))
            found.setdefault((stood, held(view, item), whereabouts(view, item)), []).append(item)
    for (stood, stream, (preposition, place)), items in found.items():
        if stood:
            where = f", {preposition} {place}" if preposition else ""
            yield Sentence(85, False, f"thread {stood} delivers a value{f' of {stream}' if stream else ''}{where}")
            continue
        goes_on = any(item.figure("ended") is None for item in items)
        times = sum(item.figure("count") or 0 for item in items)
        longest, values, senders = (max(item.figure(name) or 0 for item in items) for name in ("duration", "values", "senders"))
        often = f", the longest of {lib.grouped(times)} times" if times > 1 else ""
        parts = [counted(number, noun) for number, noun in ((values, "value"), (senders, "sender")) if number]
        behind = f"; {' and '.join(parts)} waited" if parts else ""
        yield Sentence(85 if goes_on else 68, goes_on, f"{stream or 'a stream'} {'has been' if goes_on else 'was'} held for "
                       f"{'at least ' if goes_on else ''}{lib.duration(longest)} by {place}{often}{behind}")


def held(view, delivery):
    """Returns the label of a stream that a delivery holds, or of the hop into it: where most waits."""
    streams = set(map(str, listed(delivery.data, "streams")))
    items = [view.items[stream] for stream in sorted(streams) if stream in view.items]
    items += [view.items[one] for one, other in pairs(view.data, "edges")
              if other in streams and one in view.items and view.items[one].kind == "hop"]
    worst = max(items, default=None, key=lambda item: (item.figure("waiting") or 0, item.figure("depth") or 0, item.kind == "hop"))
    return worst and worst.label


def whereabouts(view, delivery):
    """Returns where a delivery is, and a preposition; without one, it is only known on which thread."""
    streams = set(map(str, listed(delivery.data, "streams")))
    observers = {group.label for group in view.groups if streams & set(map(str, listed(group.data, "of")))}
    # What a closure calls last may have taken the place of its frame.
    if observers and not (delivery.place and re.search(r":\d+$", delivery.place)):
        return "to", f"the observer at {' or '.join(sorted(observers))}"
    if delivery.place:
        return "at", delivery.place
    return None, f"thread {clean(delivery.data.get('thread') or delivery.figure('number'))}"


def figures(view):
    """Yields what the figures of single nodes and groups say."""
    recently, holders = f" in the last {lib.duration(view.seconds * 1e9)}" if view.seconds else "", holders_of(view)
    for row in view.rows:
        item = row.members[0]
        if row.waiting:
            yield Sentence(80, True, f"{row.label}: {doing(row.waiting, 'sender', 'wait')} for room")
        if row.beyond:
            new = f", {lib.grouped(row.new_beyond)} of them{recently}" if row.new_beyond else ""
            yield Sentence(65 if new else 20, False, f"{row.label} went {counted(row.beyond, 'value')} beyond its bound{new}")
        if row.stalls:
            new = f", {counted(row.new_stalls, 'time')}{recently}" if row.new_stalls else ""
            yield Sentence(70 if new else 21, bool(new), f"{row.label} gave up its bound {counted(row.stalls, 'time')}{new}: "
                           "nothing was delivered for its stall timeout")
        if row.dropped:
            yield Sentence(60, False, f"{row.label} drops {rate(row.dropped)} values a second")
        if (row.wakes or 0) >= OFTEN and row.wakes >= 0.8 * (row.delivered or 0):
            every = lib.duration(1e9 / row.wakes)
            yield Sentence(40, False, f"{row.label} wakes its scheduler for each value, {rate(row.wakes)} times a second: "
                           f"it doesn't linger, or not until the next one, which comes after {every}")
        if (item.figure("biases") or 0) >= BIASES:
            yield Sentence(15, False, f"the bias of {row.label} was taken back {counted(item.figure('biases'), 'time')}: threads send to "
                           "it in turn")
        if row.grows:
            yield Sentence(50, False, f"{counted(row.count, row.kind)} of {row.label} are alive, +{rate(row.growth)}/s")
        if row.has_stopped:
            yield Sentence(75, True, f"the drain of {row.label} has stopped: {doing(row.depth, 'value', 'stay')} in it")
        elif lasted := item.id not in view.waits and view.lasted(view.idle_since, item.id):
            yield Sentence(72, True, f"{row.label} has delivered nothing for at least {lasted}, "
                           f"and {doing(row.depth, 'value', 'wait')} in it{kept_by(item, holders)}")
        if row.kind == "stream" and item.figure("observers") == 0 and row.posted:
            yield Sentence(30, False, f"{row.label} has no observer, and {rate(row.posted)} values a second come to it")


def kept_by(hop, holders):
    """Returns why a hop delivers nothing, as far as that is known: what another hop delivers on its scheduler."""
    hops, text = holders.get(hop.runner, ((), ": is its scheduler busy?" if hop.runner else ""))
    # What it delivers itself is told anyhow.
    return "" if hop.id in hops else text


def holders_of(view):
    """Returns for each scheduler on which a delivery goes on: the hops of that, and a text for the others."""
    into, found = {}, {}
    for one, other in pairs(view.data, "edges"):
        if one in view.items:
            into.setdefault(other, []).append(view.items[one])
    for delivery in (Item(part, "delivery", "") for part in view.data["deliveries"]):
        hops = [hop for stream in listed(delivery.data, "streams") for hop in into.get(str(stream), ())]
        if delivery.figure("ended") is None:
            lasted, place = lib.duration(delivery.figure("duration") or 0), whereabouts(view, delivery)[1]
            for runner in {hop.runner for hop in hops if hop.runner}:
                found.setdefault(runner, ({hop.id for hop in hops}, f": its scheduler has been held for at least {lasted} by {place}"))
    return found


def counted(number, noun):
    if number != 1:
        noun = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{lib.grouped(number)} {noun}"


def doing(number, noun, verb):
    return f"{counted(number, noun)} {verb}{'s' if number == 1 else ''}"


def rate(number):
    number = round(number, 1)
    return lib.grouped(round(number)) if number >= 10 or number == round(number) else f"{number:.1f}"


def age(nanoseconds):
    seconds = int(nanoseconds / 1e9)
    for unit, size, smaller, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if seconds >= size:
            return f"{seconds // size} {unit} {seconds % size // part} {smaller}"
    return lib.duration(nanoseconds) if seconds < 10 else f"{seconds} s"


# MARK: The table

HEADINGS = ("kind", "name", "place", "made by", "alive", "change/s", "delivered/s", "posted/s", "wakes/s", "actions/s", "depth",
            "peak", "delay", "waiting", "stalls", "beyond", "dropped/s", "age", "type")
LEFT = ("kind", "name", "place", "made by", "type")


def cells(row):
    """Returns the figures of a row in words, in the order of the headings. What isn't known is empty."""
    return (row.kind, row.label, row.place if row.place and row.place != row.label else "", row.by or "",
            lib.grouped(row.count) if row.kind in (*GROUPED, "pool") else "",
            "" if row.growth is None else "0" if row.growth == 0 else ("+" if row.growth > 0 else "−") + rate(abs(row.growth)),
            *(optional(figure, rate) for figure in (row.delivered, row.posted, row.wakes, row.actions)), depth_of(row),
            optional(row.peak, lib.grouped), optional(row.delay, lib.duration), optional(row.waiting, lib.grouped),
            since_before(row.stalls, row.new_stalls), since_before(row.beyond, row.new_beyond),
            optional(row.dropped, rate), optional(row.age, age), row.type or "")


def used_columns(rows):
    """Returns the numbers of the columns that say something: not those without figures, or of zeros only."""
    return [index for index in range(len(HEADINGS)) if any(row[index] not in ("", "0") for row in rows)]


def depth_of(row):
    bound = f"/{lib.grouped(row.capacity)}" if row.capacity is not None and row.depth is not None else ""
    return optional(row.depth, lib.grouped) + bound


def optional(value, form):
    return "" if value is None else form(value)


def since_before(value, new):
    return optional(value, lib.grouped) + (f" +{lib.grouped(new)}" if new else "")


def title(view):
    """Returns what the snapshot is of, in one line."""
    program, kinds = os.path.basename(cleaned(view.data, "program") or "a program"), Counter()
    for row in view.rows:
        kinds[row.noun] += row.count
    counts = ", ".join(counted(count, kind) for kind, count in sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))
    return f"{program}, process {clean(view.data.get('pid', 'unknown'))}: {counts or 'no streams'}"


# MARK: Differences


def differences(old, new):
    """Returns the rows of a table: what is new, gone, or has grown. Things are compared by kind and name, since identities mean
    nothing in another process."""
    before, after = by_label(old), by_label(new)
    result = []
    for key in sorted(before.keys() | after.keys()):
        then, now = before.get(key, {}), after.get(key, {})
        for what in dict.fromkeys([*now, *then]):
            one, other = then.get(what, 0), now.get(what, 0)
            change = "new" if what == "alive" and not one else "gone" if what == "alive" and not other else "grew"
            if change == "gone" or other > one:
                result.append((change, *key, what, lib.grouped(one), lib.grouped(other)))
    order = ("new", "gone", "grew")
    return sorted(result, key=lambda row: order.index(row[0]))


def by_label(view):
    """Returns the sums of the figures of all that have the same kind and name."""
    sums = {}
    for row in view.rows:
        of = sums.setdefault((row.kind, row.label if row.members[0].name or row.place else row.type or "unnamed"), Counter())
        of["alive"] += row.count
        for name in ("depth", "waiting", "stalls", "beyond", "dropped"):
            of[name] += total(row.members, name) or 0
    return sums


# MARK: Graphviz


def dot(view):
    """Returns the graph in Graphviz's language. Waits are red, and what runs several hops is dotted."""
    runs = [(row.key, view.row_of[item.runner].key) for row in view.rows for item in row.members if item.runner in view.row_of]
    shared = {other for other, count in Counter(other for _, other in runs).items() if count > 1}
    rows = [row for row in view.rows if row.kind not in RUNNERS or row.key in shared]
    names = {row.key: f"n{number}" for number, row in enumerate(rows)}
    lines = ["digraph streams {", "  rankdir=LR;", "  node [shape=box, fontname=\"sans-serif\"];"]
    for row in rows:
        label = "\\n".join(quoted(line) for line in (row.label, *summary(row)) if line)
        lines.append(f"  {names[row.key]} [label=\"{label}\"{', color=red' if row.is_bad else ''}"
                     f"{', style=dotted' if row.kind in RUNNERS else ''}];")
    for (one, other), count in view.edges().items():
        lines.append(f"  {names[one]} -> {names[other]}" + (f" [label=\"{count}\"]" if count > 1 else "") + ";")
    for one, other in view.edges("waits"):
        lines.append(f"  {names[one]} -> {names[other]} [color=red, style=dashed, label=\"waits\", constraint=false];")
    lines += [f"  {names[one]} -> {names[other]} [style=dotted, arrowhead=none];" for one, other in dict.fromkeys(runs)
              if other in shared]
    return "\n".join([*lines, "}", ""])


def quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def at(row):
    return f" at {row.place}" if row.place and row.place != row.label else ""


def summary(row):
    """Returns two short lines: what a node is, and its figures."""
    parts = [f"depth {depth_of(row)}" if row.depth or row.capacity else "",
             f"{lib.grouped(row.waiting)} wait" if row.waiting else "",
             f"{rate(speed(row))}/s" if speed(row) else ""]
    return counted(row.count, row.noun) if row.count > 1 else (row.by or row.kind) + at(row), ", ".join(part for part in parts if part)


# MARK: Details

# So many members of a group, neighbours or frames are listed.
MOST = 40


def details(view, row):
    """Returns all that is known about a row, in lines."""
    item = max(row.members, key=filled)
    lines = [f"{row.label} ({counted(row.count, row.noun) if row.count > 1 else row.kind + at(row)})", ""]
    parts = [("place", [row.place] if row.place else []), ("type", [row.type] if row.type else []),
             ("stack", [clean(frame) for frame in listed(item.data, "stack")])]
    named = dict(zip(HEADINGS, cells(row)))
    parts += [(name, [named[name]]) for name in HEADINGS[3:-1] if named[name]]
    if row.count == 1:
        parts += [(clean(name), [clean(value)]) for name, value in item.data.items() if name not in TOLD and value is not None]
    one, other = neighbours(view, row)
    parts += [("upstream", one), ("downstream", other)]
    if row.waits:
        path, is_circle = view.chain(next(member.id for member in row.members if member.id in view.waits))
        end = ["… and so on, in a circle"] if is_circle else []
        parts.append(("waits for", [view.items[one].label for one in path[1:]] + end))
    waiters = [view.items[one].label for one, others in view.waits.items() if any(view.row_of[other] is row for other in others)]
    parts.append(("waited for by", waiters))
    ids = {member.id for member in row.members}
    parts.append(("runs", [other.label + at(other) for other in view.rows if any(hop.runner in ids for hop in other.members)]))
    if row.count > 1:
        members = sorted(row.members, key=lambda member: (-filled(member)[0], -filled(member)[1], member.since or 0))
        parts.append(("among them", [member_line(view, member) for member in members]))
    for name, values in parts:
        shown = values if len(values) <= MOST else [*values[:MOST], f"and {lib.grouped(len(values) - MOST)} more"]
        lines += [f"{name if not index else '':14}{value}" for index, value in enumerate(shown)]
    return lines


# What the details tell in their own words.
TOLD = ("kind", "name", "type", "place", "by", "stack", "frames", "since", "depth", "capacity", "waiting", "stalls", "beyond", "queued",
        "pool", "executed", "runner")


def neighbours(view, row):
    """Returns the labels of what is upstream and downstream of a row."""
    labels = {other.key: other.label if other.count == 1 else f"{counted(other.count, other.kind)} of {other.label}"
              for other in view.rows}
    edges = view.edges()
    return [labels[one] for one, other in edges if other == row.key], [labels[other] for one, other in edges if one == row.key]


def member_line(view, member):
    parts = [clean(member.id)]
    if member.since is not None and view.time is not None:
        parts.append(age(max(0, view.time - member.since)))
    if member.figure("depth"):
        parts.append(f"depth {lib.grouped(member.figure('depth'))}")
    return ", ".join(parts)
