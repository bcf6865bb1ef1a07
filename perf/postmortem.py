"""In gdb: the streams of a process that was stopped, or of a core file, as the process itself would show them.

    (gdb) source perf/postmortem.py
    (gdb) corinth         the list, as perf/top --once prints it
    (gdb) corinth FILE    writes a snapshot, which perf/top reads

Nothing runs in the process. The library says where everything lies, in `ccorinth_registry_layout`, so this needs its symbols, but
no debug information.
"""

import json
import os
import re
import struct
import subprocess
import tempfile
import time

import gdb

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "top")

# What `ccorinth_layout` has, in this order, and the version to which that belongs.
VERSION = 0x436f72696e746831
FIELDS = ("version parts missed state part_count part_size part_entries part_capacity entry_size object since subject queue stack "
          "kind frame_count name frames owned strands is_complete counters used progress capacity stalls excesses waiters blocker "
          "waiter_count dropping_capacity dropping_posted dropping_taken word inside strand resources first next contents "
          "joined_class joined array_count array_elements").split()

# The kinds of entries, and how long a name and a stack of them are at most.
SIGNAL, START, OBSERVATION, HOP, DROPPING_HOP = range(5)
LONGEST_NAME, MOST_FRAMES = 32, 12

# As many observations as the process itself tells of each place, resources as it looks at, and frames of a thread.
MOST_OBSERVED, MOST_RESOURCES, MOST_FRAMES_OF_THREAD = 100, 1000, 64

# So many bytes of a stack are searched for the stream whose values are delivered.
MOST_STACK = 1 << 18

# In the word of a strand.
OWNED = 1

UNBOUNDED = (1 << 64) - 1


def words(address, count):
    return struct.unpack(f"<{count}Q", gdb.selected_inferior().read_memory(address, 8 * count))


def word(address):
    return words(address, 1)[0]


class Layout:
    """Where things lie."""

    def __init__(self):
        if not gdb.selected_inferior().threads():
            raise gdb.GdbError("corinth: there is no process, and no core file")
        try:
            address = int(gdb.parse_and_eval("(unsigned long)&ccorinth_registry_layout"))
        except gdb.error:
            raise gdb.GdbError("corinth: the program has no symbol ccorinth_registry_layout: either no Corinth is in it, "
                               "or its symbols were removed; give a copy that has them")
        try:
            version, *values = words(address, len(FIELDS))
        except gdb.MemoryError:
            version = None
        if version != VERSION:
            raise gdb.GdbError("corinth: this isn't the program of that process, or it has another version of Corinth "
                               "than this script")
        for name, value in zip(FIELDS[1:], values):
            setattr(self, name, value)
        if struct.unpack("<I", gdb.selected_inferior().read_memory(self.state, 4))[0] == 0:
            raise gdb.GdbError("corinth: the process has noted nothing: start it with CORINTH_INSPECT=1, "
                               "or call Inspector.start() in it")


class Entry:
    """An object of the registry."""

    def __init__(self, layout, data, at):
        self.address, self.since, self.subject, self.queue, self.stack = (
            struct.unpack_from("<Q", data, at + offset)[0]
            for offset in (layout.object, layout.since, layout.subject, layout.queue, layout.stack))
        self.kind, count = (struct.unpack_from("<I", data, at + offset)[0] for offset in (layout.kind, layout.frame_count))
        at_name = at + layout.name
        self.name = data[at_name:at_name + LONGEST_NAME].split(b"\0")[0].decode(errors="replace")
        self.frames = struct.unpack_from(f"<{min(count, MOST_FRAMES)}Q", data, at + layout.frames)


def entries(layout):
    for index in range(layout.part_count):
        part = layout.parts + index * layout.part_size
        first, capacity = word(part + layout.part_entries), word(part + layout.part_capacity)
        if capacity == 0:
            continue
        data = bytes(gdb.selected_inferior().read_memory(first, capacity * layout.entry_size))
        for at in range(0, len(data), layout.entry_size):
            if struct.unpack_from("<Q", data, at + layout.object)[0] != 0:
                yield Entry(layout, data, at)


class Snapshot:
    """What `Inspector.snapshot()` has, from the outside."""

    def __init__(self):
        self.layout = Layout()
        self.stacks, self.indices = [], {}
        self.nodes, self.edges, self.starts, self.observations = {}, [], {}, {}
        # The streams that get their values by an observation, the hops into each stream, and the nodes by their queues.
        self.targets, self.hops, self.node_of_queue, self.blockers = {}, {}, {}, []
        # The strands of all objects by which a stack shows whose values are delivered.
        self.strands = {}
        everything = list(entries(self.layout))
        self.observing = {entry.address for entry in everything if entry.kind == OBSERVATION}
        for entry in everything:
            try:
                if entry.kind == SIGNAL:
                    self.add_signal(entry)
                elif entry.kind in (HOP, DROPPING_HOP):
                    self.add_hop(entry)
            except gdb.MemoryError:
                # Its end had begun.
                continue
        for hop, stream in [(hop, stream) for stream, hops in self.hops.items() for hop in hops if stream in self.nodes]:
            self.edges.append((hop, stream))
        for entry in everything:
            if entry.kind == START:
                self.add_to_group(self.starts, entry)
            elif entry.kind == OBSERVATION and not self.is_edge(entry):
                self.add_to_group(self.observations, entry)

    def made(self, entry):
        return self.index_of(entry.stack, entry.frames)

    def index_of(self, key, frames):
        if key not in self.indices:
            self.indices[key] = len(self.stacks)
            self.stacks.append([f"{frame:x}" for frame in frames])
        return self.indices[key]

    def node(self, entry, kind, identity):
        node = {"id": f"{identity:x}", "kind": kind, "since": entry.since, "made": self.made(entry)}
        if entry.name:
            node["name"] = entry.name
        return node

    def add_signal(self, entry):
        strand = word(entry.address + self.layout.strand)
        resources = word(entry.address + self.layout.resources)
        for observation in self.observations_in(resources) if resources else ():
            self.targets[observation] = strand
        self.strands[entry.address] = self.strands[strand] = strand
        node = self.node(entry, "stream", strand)
        self.nodes[strand] = {**node, **self.figures(strand, strand, SIGNAL), "observers": 0}

    def add_hop(self, entry):
        node = self.node(entry, "hop", entry.address)
        figures = self.figures(entry.address, entry.queue, entry.kind)
        if entry.kind == DROPPING_HOP:
            capacity, posted, taken = (word(entry.address + offset) for offset in (
                self.layout.dropping_capacity, self.layout.dropping_posted, self.layout.dropping_taken))
            figures["depth"], figures["capacity"] = posted - taken, capacity
        policy = "dropping" if entry.kind == DROPPING_HOP else "blocking"
        self.nodes[entry.address] = {**node, **figures, "policy": policy}
        self.hops.setdefault(entry.subject, []).append(entry.address)
        self.strands[entry.address] = entry.subject

    def figures(self, node, permits, kind):
        layout, figures = self.layout, {"depth": 0, "waiting": 0}
        if kind != SIGNAL:
            figures["stopped"] = False
        # In the build on mutexes, there are none.
        state = word(permits + layout.counters) if layout.counters else 0
        if state == 0:
            return figures
        used, capacity, stalls, excesses, waiters, blocker = (word(state + offset) for offset in (
            layout.used, layout.capacity, layout.stalls, layout.excesses, layout.waiters, layout.blocker))
        figures["depth"] = used
        if kind == HOP:
            delivered = word(state + layout.progress)
            figures.update(depth=used - delivered, posted=used, delivered=delivered)
        if capacity != UNBOUNDED:
            figures["capacity"] = capacity
        if waiters:
            figures["waiting"] = word(waiters + layout.waiter_count)
        figures.update({name: value for name, value in (("stalls", stalls), ("beyond", excesses)) if value})
        if kind != SIGNAL:
            figures["stopped"] = blocker != 0
        self.node_of_queue[state] = node
        if blocker:
            self.blockers.append((node, blocker))
        return figures

    def observations_in(self, composite):
        """Yields the observations among the resources of a signal."""
        layout, entry = self.layout, word(composite + self.layout.first)
        for _ in range(MOST_RESOURCES):
            if entry == 0:
                return
            contents = word(entry + layout.contents)
            if contents in self.observing:
                yield contents
            elif contents and word(contents) == layout.joined_class:
                array = word(contents + layout.joined)
                yield from words(array + layout.array_elements, min(word(array + layout.array_count), MOST_RESOURCES))
            entry = word(entry + layout.next)

    def is_edge(self, observation):
        """Adds an observation of a stream by another one, or else counts an observer."""
        target, source = self.targets.get(observation.address), observation.subject
        if target is None:
            if source in self.nodes:
                self.nodes[source]["observers"] += 1
            return False
        if source in self.nodes:
            # With several hops, nobody knows which source each of them has.
            self.edges += [(source, hop) for hop in self.hops.get(target, [target])]
        return True

    def add_to_group(self, groups, entry):
        group = groups.setdefault(entry.stack, {"count": 0, "since": entry.since, "made": self.made(entry)})
        group["count"] += 1
        group["since"] = min(group["since"], entry.since)
        if entry.subject and len(group.get("of", ())) < MOST_OBSERVED:
            group.setdefault("of", []).append(f"{entry.subject:x}")

    def delivered_by(self, stack):
        """Returns the innermost stream on a stack whose strand is owned, or its hop inside a start; none if there is none."""
        for at in stack:
            strand = self.strands.get(at)
            # An old address may have stayed there.
            if strand and (word(strand + self.layout.word) & OWNED or word(strand + self.layout.inside)):
                node = strand if strand in self.nodes else self.hops[strand][0]
                return [f"{node:x}"]
        return []

    def data(self):
        """Returns it as `Snapshot.json` has it."""
        deliveries = [{"thread": name, "number": number, "streams": self.delivered_by(stack),
                       "at": self.index_of(("thread", number), frames)}
                      for name, number, frames, stack in delivering(self.layout)]
        waits = {(node, self.node_of_queue[queue]) for node, queue in self.blockers if queue in self.node_of_queue}
        return {"schema": 1, "pid": gdb.selected_inferior().pid, "program": gdb.current_progspace().filename or "",
                # A core file doesn't say when it was written, as the clock of the process counts.
                "time": time.monotonic_ns() if is_live() else None, "missed": word(self.layout.missed),
                "nodes": list(self.nodes.values()), "starts": list(self.starts.values()),
                "observations": list(self.observations.values()), "edges": pairs(self.edges), "waits": pairs(waits),
                "deliveries": deliveries, "stacks": self.stacks, "maps": maps()}


def pairs(edges):
    return [[f"{one:x}", f"{other:x}"] for one, other in dict.fromkeys(edges)]


def is_live():
    connection = getattr(gdb.selected_inferior(), "connection", None)
    return connection is not None and connection.type == "native"


def delivering(layout):
    """Returns the name, the number, the return addresses and the stack of each thread that owns a strand."""
    found, before = [], gdb.selected_thread()
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        try:
            owned = word(int(gdb.parse_and_eval("(unsigned long)&ccorinth_thread")) + layout.owned)
        except gdb.error as error:
            print(f"corinth: which threads deliver a value isn't known: {error}")
            break
        if owned & layout.strands:
            found.append((thread.name, thread.ptid[1] or thread.ptid[0], *stack_of_thread()))
    if before:
        before.switch()
    return found


def stack_of_thread():
    """Returns the return addresses of the selected thread, and the words of their frames, innermost first."""
    addresses, is_call, frame = [], False, gdb.newest_frame()
    lowest = highest = int(frame.read_register("sp"))
    while frame is not None and len(addresses) < MOST_FRAMES_OF_THREAD:
        # What is inlined is in the frame of its caller.
        if frame.type() != gdb.INLINE_FRAME:
            # Whoever reads this looks at the instruction before the one to which a call returns.
            addresses.append(frame.pc() + (not is_call))
            is_call = frame.type() != gdb.SIGTRAMP_FRAME
            highest = int(frame.read_register("sp"))
        try:
            frame = frame.older()
        except gdb.error:
            break
    try:
        return addresses, words(lowest, max(0, min(highest - lowest, MOST_STACK)) // 8)
    except gdb.MemoryError:
        return addresses, ()


def maps():
    """Returns the mapped parts of files."""
    try:
        text = gdb.execute("info proc mappings", to_string=True)
    except gdb.error:
        return []
    found = re.findall(r"^\s*0x(\w+)\s+0x(\w+)\s+0x\w+\s+0x(\w+)\s+(?:[-rwxsp]{4}\s+)?(/.*?)\s*$", text, re.M)
    # The program may have been elsewhere when it ran.
    entry = re.search(r"AT_ENTRY\s.*?0x(\w+)", gdb.execute("info auxv", to_string=True))
    at = int(entry[1], 16) if entry else 0
    program = {path: gdb.current_progspace().filename for start, end, _, path in found if int(start, 16) <= at < int(end, 16)}
    return [{"path": program.get(path, path), "start": start, "end": end, "offset": int(offset, 16)}
            for start, end, offset, path in found]


class Corinth(gdb.Command):
    """Lists the streams of the process or the core file, or writes a snapshot of them to a file for perf/top."""

    def __init__(self):
        super().__init__("corinth", gdb.COMMAND_STATUS, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        text = json.dumps(Snapshot().data())
        if argument:
            with open(argument, "w") as file:
                file.write(text + "\n")
            return
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text + "\n")
            file.flush()
            print(subprocess.run([TOP, "--once", file.name], capture_output=True, text=True).stdout, end="")


Corinth()
